import { fireEvent, render, screen } from "@testing-library/react";
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { OBJECTS, shownParts } from "../../../src/model/replay/parts";
import { sentenceParts } from "../../../src/model/replay/sentence";
import { AccessBand } from "../../../src/views/replay/AccessBand";
import { AccessWords } from "../../../src/views/replay/AccessWords";
import { TlbPanel } from "../../../src/views/tlb/TlbPanel";
import { NestedPanels } from "../../../src/views/walk/NestedPanels";
import { WalkPanel } from "../../../src/views/walk/WalkPanel";
import { Term, TermsContext } from "../../../src/views/shared/terms/Term";
import type { OpenCard } from "../../../src/views/shared/terms/Term";
import { placesOf } from "../../../src/views/shared/terms/places";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";
import { nestedCold, nestedWalk } from "../../pictures/nestedFixtures";

test("objects_and_levels_have_their_own_attributes", () => {
  expect(placesOf("set-l1", "level-4", "entry-l1", "level-3")).toEqual({
    "data-object": "set-l1 entry-l1",
    "data-level": "4 3",
  });
  expect(placesOf()).toEqual({});
});

test("every_object_and_level_can_be_lit", () => {
  const css = readFileSync("src/views/shared/terms/lit.css", "utf8");
  const rule = (attribute: string, name: string) =>
    `:root:has([${attribute}~="${name}"]:is(:hover, :focus-visible)) [${attribute}~="${name}"]`;
  const flat = css.replaceAll(/\s+/g, " ");
  const rules = [
    ...OBJECTS.map((name) => rule("data-object", name)),
    ...[1, 2, 3, 4, 5].map((level) => rule("data-level", String(level))),
  ];
  expect(rules.filter((each) => !flat.includes(each))).toEqual([]);
});

const scenes: Readonly<Record<string, Scene>> = {
  ...accesses,
  nestedWalk,
  nestedCold,
};

function picture({ machine, step, columns }: Scene, which: number) {
  const props = { machine, step, columns, which };
  const ignore = () => undefined;
  return render(
    <>
      <AccessBand {...props} />
      {step.translations[which]?.nested ? (
        <NestedPanels {...props} side="walk" onSide={ignore} tlb={null} />
      ) : (
        <WalkPanel {...props} />
      )}
      <TlbPanel {...props} />
    </>,
  );
}

test.each(Object.keys(scenes))("nouns_of_%s_are_in_the_pictures", (name) => {
  const scene = scenes[name];
  if (!scene) throw new Error(`no scene ${name}`);
  const { step, machine } = scene;
  step.translations.forEach((_, which) => {
    const { container, unmount } = picture(scene, which);
    const parts = shownParts(sentenceParts(step, machine), which, false);
    const missing = parts.flatMap((part) =>
      part.kind === "object"
        ? part.objects.filter((object) => {
            const [[key, value] = []] = Object.entries(placesOf(object));
            return !container.querySelector(
              `[${key ?? ""}~="${String(value)}"]`,
            );
          })
        : [],
    );
    expect(missing).toEqual([]);
    unmount();
  });
});

test("the_visible_words_leave_out_what_the_band_says", () => {
  const { step, machine } = accesses.pdeHit;
  const { container } = render(
    <AccessWords step={step} machine={machine} short />,
  );
  expect(container.querySelector(".words-text")?.textContent).toBe(
    " Every TLB missed. The PDE cache hit and skipped 3 levels. The walk read 1 entry and found frame 0x1388b, for 31 cycles. The translation filled L1 dTLB 4K set 5 way 3 and STLB set 48 way 3.",
  );
  expect(container.querySelector("[aria-live]")?.textContent).toMatch(
    /^Access 12,345: load .* evicting 0x7f3a1b8b5, /,
  );
});

test("a_noun_opens_its_card_and_can_show_its_array", () => {
  const { step, machine } = accesses.pdeHit;
  const open = vi.fn<OpenCard>();
  const onStructure = vi.fn();
  render(
    <TermsContext value={open}>
      <AccessWords step={step} machine={machine} onStructure={onStructure} />
    </TermsContext>,
  );
  const noun = screen.getByRole("button", { name: "set 48" });
  expect(noun.dataset["object"]).toBe("set-l2");
  fireEvent.click(noun);
  const [term, word, action] = open.mock.lastCall ?? [];
  expect([term, word, action?.label]).toEqual(["set", noun, "Show STLB"]);
  action?.onPress();
  expect(onStructure).toHaveBeenCalledWith(5);
});

test("without_a_glossary_a_term_is_text", () => {
  render(<Term term="stlb">STLB</Term>);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("STLB").tagName).toBe("SPAN");
});
