import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import limits from "../../../docs/limits.md?raw";
import type { OracleResult } from "../../../src/engine/generated/OracleResult";
import { resultText, sumText } from "../../../src/model/experiments/oracles";
import { sections } from "../../../src/model/experiments/sections";
import { KnowPage } from "../../../src/views/experiments/KnowPage";

const info = {
  number: 30,
  claim: "Random pages miss as often as the reach falls short",
  basis: "derived",
  source: "counting pages",
} as const;
const agreeing = {
  name: "64 entries",
  got: "0.75",
  expected: "0.75",
  agrees: true,
};
const differing = {
  name: "128 entries",
  got: "0.6",
  expected: "0.5",
  within: 0.01,
  agrees: false,
};
const result: OracleResult = {
  ...info,
  checks: [agreeing, differing],
  agrees: false,
};
const states = { 30: { status: "done", result } } as const;

test("a_result_in_words", () => {
  expect(resultText(result)).toBe("1 of 2 checks differs");
  const one = { ...info, checks: [agreeing], agrees: true };
  expect(resultText(one)).toBe("1 check agrees");
  expect(sumText([info, { ...info, number: 31 }], states)).toBe(
    "1 of 2 statements checked: 1 check agrees, 1 differs",
  );
  const failed = { 30: { status: "failed", why: "a reason" } } as const;
  expect(sumText([info], failed)).toBe(
    "1 of 1 statement checked: 0 checks agree, none differs, 1 could not run",
  );
});

test("a_check_that_differs_is_open_with_both_answers", () => {
  render(<KnowPage oracles={[info]} states={states} listAddress="#list" />);
  const row = within(screen.getByTestId("oracle-30"));
  expect(row.getByText("1 of 2 checks differs").closest("details")?.open).toBe(
    true,
  );
  expect(row.getByText("0.5 ± 0.01")).toBeTruthy();
  expect(row.getByText("0.6 (differs)")).toBeTruthy();
  expect(screen.queryByRole("progressbar")).toBeNull();
});

test("the_limits_are_those_of_the_document", () => {
  const [title, ...rest] = sections(limits);
  expect(title?.title).toBe("The limits of the model");
  const items = rest.flatMap((section) => section.items);
  expect(items.length).toBe(limits.match(/^- /gm)?.length);
  expect(items.every(({ lead, text }) => lead !== "" && text !== "")).toBe(
    true,
  );
  render(<KnowPage oracles={undefined} states={{}} listAddress="#list" />);
  expect(screen.getByText("Cycles are added up.")).toBeTruthy();
});
