/** Tests each error that a picture can have, and a picture without errors. */
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { pictureOf } from "./describe";
import { problemsOf } from "./problems";

const problems = (node: ReactNode) => problemsOf(pictureOf(node));

const drawing = (marks: ReactNode, more: { "aria-hidden"?: true } = {}) => (
  <svg viewBox="0 0 100 40" aria-hidden="true" {...more}>
    {marks}
  </svg>
);

const label = (x: number, y: number, text: string) => (
  <text key={text} x={x} y={y}>
    {text}
  </text>
);

test("a_sound_picture_has_none", () => {
  expect(
    problems(
      drawing([
        label(0, 10, "CR3"),
        label(0, 30, "0x1a3c000"),
        <rect key="box" x="60" width="40" height="40" />,
      ]),
    ),
  ).toEqual([]);
});

test.each<[string, ReactNode, string]>([
  [
    "a_number_that_is_none",
    drawing(<path d="M0 NaN" />),
    'path has d "M0 NaN"',
  ],
  [
    "a_label_outside",
    drawing(label(90, 10, "cut off")),
    "text “cut off” at 90,2 is not in its 100×40",
  ],
  [
    "a_mark_outside",
    drawing(<rect className="cell" x="90" width="20" height="9" />),
    "box “cell” at 90,0 is not in its 100×40",
  ],
  [
    "a_box_without_size",
    drawing(<rect className="bar" width="0" height="9" />),
    "box “bar” at 0,0 has no size",
  ],
  [
    "labels_on_each_other",
    drawing([label(0, 10, "first"), label(10, 12, "second")]),
    "text “first” at 0,2 lies on text “second” at 10,4",
  ],
  [
    "cells_on_each_other",
    drawing(
      [0, 10].map((x) => (
        <rect
          key={x}
          role="option"
          aria-selected="false"
          aria-label={`at ${x}`}
          x={x}
          width="20"
          height="20"
        />
      )),
    ),
    "box “at 0” at 0,0 lies on box “at 10” at 10,0",
  ],
  [
    "labels_read_one_by_one",
    <svg key="0" viewBox="0 0 100 40">
      {label(0, 10, "CR3")}
    </svg>,
    "text “CR3” at 0,2 is read aloud by itself",
  ],
  [
    "a_control_without_a_name",
    <button key="0" type="button" />,
    "BUTTON has no name",
  ],
  [
    "a_reference_to_nothing",
    <section key="0" aria-labelledby="title" />,
    "aria-labelledby leads to no title",
  ],
  [
    "two_elements_of_one_id",
    [<p key="0" id="a" />, <p key="1" id="a" />],
    "two elements are a",
  ],
  [
    "a_button_that_would_save_itself",
    <section key="0" data-picture="">
      <button
        type="button"
        className="save-picture-button"
        aria-label="Save “Walk”"
      />
    </section>,
    "Save “Walk” has no picture to save",
  ],
  [
    "two_ways_into_the_tabs",
    <div key="0" role="tablist" aria-label="Arrays">
      <button type="button" role="tab" aria-selected="true" tabIndex={0}>
        L1
      </button>
      <button type="button" role="tab" aria-selected="false" tabIndex={0}>
        L2
      </button>
    </div>,
    "Arrays has no single tab",
  ],
  [
    "a_list_that_points_elsewhere",
    <div
      key="0"
      role="listbox"
      tabIndex={0}
      aria-label="Tables"
      aria-activedescendant="a"
    >
      <p id="a" role="option" aria-selected="false" aria-label="PML4" />
      <p id="b" role="option" aria-selected="true" aria-label="PT" />
    </div>,
    "Tables does not point at its choice",
  ],
])("%s", (_, picture, problem) => {
  expect(problems(picture)).toEqual([problem]);
});
