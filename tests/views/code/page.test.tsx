import {
  act,
  cleanup,
  fireEvent,
  render,
  screen,
  within,
} from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type {
  CodeProgram,
  ProgramSetup,
  ProgramShown,
} from "../../../src/model/code/code";
import {
  SCRIPT_EXAMPLES,
  SCRIPT_PAIRS,
} from "../../../src/model/code/scriptExamples";
import { PROGRAM_EXAMPLES } from "../../../src/model/code/programExamples";
import { CodePage } from "../../../src/views/code/CodePage";
import type { CodePageProps } from "../../../src/views/code/CodePage";
import { cpu, machineView, report, view } from "../../state/fakeData";

const SETUP: ProgramSetup = {
  machine: cpu("one", "One").machine,
  os: { default: "4K", regions: [], frames: "sequential" },
};

const shown = (name: string, n: number): ProgramShown => ({
  name,
  code: "load(8)",
  result: { accesses: n, arrays: [], log: [] },
  file: () => new Blob(),
  setup: SETUP,
  trace: view(name, n),
  machine: machineView(SETUP),
  report: report(n),
  timeline: {
    view: { from: 0, to: n, bins: 0, rows: 0, regions: [], page_size: "4K" },
    translations: new Uint32Array(),
    l2Hits: new Uint32Array(),
    walks: new Uint32Array(),
    faults: new Uint32Array(),
    exceptions: new Uint32Array(),
    operations: new Uint32Array(),
    density: new Uint32Array(),
    cellWalks: new Uint32Array(),
    cellFaults: new Uint32Array(),
    cellExceptions: new Uint32Array(),
  },
});

const program = (name: string, part: Partial<CodeProgram> = {}) => ({
  name,
  code: "load(8)",
  packed: undefined,
  isTooLong: false,
  waits: undefined,
  run: undefined,
  shown: undefined,
  tried: undefined,
  ...part,
});

function show(
  programs: CodePageProps["codeScreen"]["programs"],
  part: Partial<CodePageProps> = {},
) {
  const nothing = () => {};
  render(
    <CodePage
      codeScreen={{ programs, at: 0.5, span: { from: 0, to: 1 } }}
      setup={SETUP}
      home={{ ...SETUP, name: "One" }}
      examples={SCRIPT_EXAMPLES}
      lines={[]}
      onLanguage={() => {}}
      onLoadCompiler={() => {}}
      onCancelCompiler={() => {}}
      onLine={() => {}}
      pairs={SCRIPT_PAIRS}
      runKey="Ctrl"
      onEdit={nothing}
      onExample={nothing}
      onPair={nothing}
      onRun={nothing}
      onCancel={nothing}
      onAdd={nothing}
      onRemove={nothing}
      onHome={nothing}
      onOpen={nothing}
      pictures={(slot) => <p>picture {slot}</p>}
      {...part}
    />,
  );
}

/** The title and the note above the pictures, and whether these are stale. */
function head(): string {
  const result = screen.getByRole("region", { name: "Last run" });
  const title = result.querySelector(".code-title")?.textContent ?? "";
  const note = result.querySelector(".code-note")?.textContent ?? "";
  const isStale = result.querySelector("[data-stale]") !== null;
  return `${title} | ${note} | ${isStale ? "stale" : "current"}`;
}

const RUNNING = { status: "running", accesses: 1 } as const;
const FAILED = { status: "failed", problem: { message: "No." } } as const;
const STOPPED = {
  status: "failed",
  problem: { message: "Stopped.", hasRun: true },
} as const;
const C = { language: "c", level: "1", args: "" } as const;

test.each([
  [program("a"), "a |  | current"],
  [program("a", { run: RUNNING }), "a | Running … | current"],
  [program("a", { shown: shown("a", 3) }), "a |  | current"],
  [
    program("a", { shown: shown("a", 3), code: "load(9)" }),
    "a | The code has changed since this run. | current",
  ],
  [
    program("b", { shown: shown("a", 3), code: "load(9)" }),
    "a | These are the counts of “a”. Press Run for “b”. | stale",
  ],
  [
    program("b", { shown: shown("a", 3), code: "int main() {}", build: C }),
    "a | These are the counts of “a” (JavaScript). Press Run for “b” (C). | stale",
  ],
  [
    program("a", { shown: shown("a", 3), run: STOPPED }),
    "a | The code left no accesses to show. This is the last run that ended. | current",
  ],
  [
    program("b", { shown: shown("a", 3), run: RUNNING }),
    "a | “b” is running. Until it ends, this is “a”. | stale",
  ],
  [
    program("b", { shown: shown("a", 3), run: FAILED }),
    "a | “b” did not run. This is “a”, the last program that ran. | current",
  ],
  [
    program("a", { shown: shown("a", 3), run: FAILED }),
    "a | The code did not run. This is the last run that ended. | current",
  ],
  [
    program("a", {
      shown: { ...shown("a", 3), setup: { ...SETUP, os: { ...SETUP.os } } },
    }),
    "a |  | stale",
  ],
])("state_%#", (each, expected) => {
  show([each]);
  expect(head()).toBe(expected);
});

test("a_run_says_how_long_it_may_still_take", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const step = { what: "running", accesses: 1 } as const;
  show([program("a", { run: { ...RUNNING, step } })]);
  act(() => void vi.advanceTimersByTime(3000));
  expect(head()).toBe("a | Running … 3 of 10 s | current");
  act(() => void vi.advanceTimersByTime(9000));
  expect(head()).toBe("a | Running … 10 of 10 s | current");
  vi.useRealTimers();
});

test("one_press_runs_both_programs_and_then_the_one_that_has_not_run", () => {
  const onRun = vi.fn();
  const waits = { waits: "reader" } as const;
  show([program("a", waits), program("b", waits)], { onRun });
  expect(screen.queryByRole("button", { name: "Run it" })).toBe(null);
  fireEvent.click(screen.getByRole("button", { name: "Run both" }));
  expect(onRun.mock.calls).toEqual([[0], [1]]);
  cleanup();
  show([program("a", { shown: shown("a", 3) }), program("b", waits)], {
    onRun,
  });
  fireEvent.click(screen.getByRole("button", { name: "Run “b”" }));
  expect(onRun.mock.calls.at(-1)).toEqual([1]);
  cleanup();
  show([program("a", { run: RUNNING }), program("b", { run: RUNNING })]);
  expect(screen.queryByRole("button", { name: /^Run [b“]/ })).toBe(null);
});

test("an_error_of_the_compiler_is_said_once_and_marked_at_its_place", () => {
  const code = "int main() {\n  return y;\n}";
  const error = {
    severity: "error",
    message: "y is not declared",
    line: 2,
    column: 10,
    caret: "    2 |   return y;\n      |          ^",
  } as const;
  const note = { ...error, severity: "note", message: "see here" } as const;
  const linker = { severity: "error", message: "no area", caret: "" } as const;
  const diagnostics = [error, note, linker];
  const problem = { message: error.message, line: 2, diagnostics };
  const run = { status: "failed", problem } as const;
  show([program("a", { code, build: C, run })]);
  const editor = screen.getByRole("textbox", { name: "Code of the program" });
  expect(editor.querySelector(".cm-wrong-place")?.textContent).toBe("y");
  expect(editor.querySelector(".cm-problem")?.textContent).toBe(
    "Line 2. y is not declared",
  );
  const below = screen.getByRole("list", { name: "Messages of the compiler" });
  expect(
    within(below)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining("see here"), " error no area"]);
});

test("an_error_stands_at_its_line_and_an_alert_says_it", () => {
  const code = "load(1);\nload(2);\nload(3);";
  const problem = { message: "Not that.", line: 2 };
  show([program("a", { code, run: { status: "failed", problem } })]);
  const editor = screen.getByRole("textbox", { name: "Code of the program" });
  const lines = [...editor.children].map(
    ({ className, textContent }) => `${className}: ${textContent}`,
  );
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(/^cm-line.*: load\(1\);$/),
    expect.stringMatching(
      /^cm-wrong cm-line.*: load\(2\);$|^cm-line cm-wrong.*: load\(2\);$/,
    ),
    "cm-problem: Line 2. Not that.",
    expect.stringMatching(/^cm-line.*: load\(3\);$/),
  ]);
  expect(screen.getByRole("alert").textContent).toBe("Line 2. Not that.");
});

test("two_programs_have_one_table_with_their_ratio", () => {
  const onRemove = vi.fn();
  const second = program("b", { shown: shown("b", 30) });
  show([program("a", { shown: shown("a", 3) }), second], { onRemove });
  const table = screen.getByRole("table", { name: "Both programs" });
  const rows = within(table).getAllByRole("row");
  const cells = rows.map((row) =>
    [...row.children]
      .map(({ textContent }) => textContent.replaceAll("\u00a0", " "))
      .join(" · "),
  );
  expect(cells).toEqual([
    "program · accesses · L1 misses · walks · translation cycles model · cycles per access model",
    "a · 3 · 0 0 % · 0 0 % · 0 · 0.00",
    "b · 30 · 0 0 % · 0 0 % · 0 · 0.00",
    "b ÷ a · 10.0× · 1× · 1× · 1× · 1×",
  ]);
  expect(screen.getAllByRole("textbox", { name: /program: Code/ }).length).toBe(
    2,
  );
  expect(screen.getAllByText(/^picture/).length).toBe(2);
  fireEvent.click(screen.getByRole("button", { name: "End the comparison" }));
  expect(onRemove).toHaveBeenCalledOnce();
});

test("a_choice_of_examples_runs_one_program_or_two", () => {
  const onExample = vi.fn();
  const onPair = vi.fn();
  show([program("a")], { onExample, onPair });
  const list = screen.getByRole("combobox", { name: "Example" });
  fireEvent.change(list, { target: { value: "columns" } });
  expect(onExample).toHaveBeenCalledWith(0, SCRIPT_EXAMPLES[1]);
  fireEvent.change(list, { target: { value: "rows-columns" } });
  expect(onPair).toHaveBeenCalledWith(SCRIPT_PAIRS[0]);
});

/** What stands above the numbers of an example that ran on a machine. */
function said(setup: ProgramSetup, exceptions: number): string {
  const [example] = SCRIPT_EXAMPLES;
  const run = shown("rows", 3);
  const ended = { ...run.report.exceptions, general_protection: exceptions };
  const report = { ...run.report, exceptions: ended };
  const code = example?.code ?? "";
  const result = { ...run.result, arrays: [] };
  show(
    [program("rows", { code, shown: { ...run, code, setup, report, result } })],
    { setup },
  );
  const texts = [...document.querySelectorAll(".code-see")].map(
    ({ textContent }) => textContent,
  );
  return texts.join(" | ");
}

const OTHER: ProgramSetup = { ...SETUP, machine: cpu("two", "Two").machine };
const BIG: ProgramSetup = { ...SETUP, os: { ...SETUP.os, default: "2M" } };
const SEE = /^What to see 8,192 walks for 4,194,304 reads[^|]*$/;

const AWAY =
  /^What to see 8,192 walks [^|]*This was written for One with 4K pages. Run on One$/;

test.each([
  [SETUP, 0, SEE],
  [{ ...SETUP, os: { ...SETUP.os } }, 0, SEE],
  [OTHER, 0, AWAY],
  [BIG, 0, AWAY],
  [
    OTHER,
    3,
    /^All 3 accesses ended with an exception: they have no translation and no cycles. Run on One$/,
  ],
])("the_text_of_an_example_belongs_to_its_machine_%#", (setup, n, expected) =>
  expect(said(setup, n)).toMatch(expected),
);

test("two_programs_with_the_same_exceptions_say_so_once_before_their_numbers", () => {
  const [one, other] = ["a", "b"].map((name) => {
    const run = shown(name, 3);
    const exceptions = { ...run.report.exceptions, general_protection: 3 };
    const report = { ...run.report, exceptions };
    return program(name, { shown: { ...run, setup: OTHER, report } });
  });
  if (!one || !other) return;
  const onHome = vi.fn();
  show([one, other], { onHome });
  const both = screen.getByRole("region", { name: "Both programs" });
  expect(both.firstElementChild?.textContent).toMatch(
    /^All 3 accesses ended .* Run on One$/,
  );
  fireEvent.click(screen.getByRole("button", { name: "Run on One" }));
  expect(onHome).toHaveBeenCalledOnce();
});

test("the_text_of_a_changed_example_says_what_it_was_written_for", () => {
  const [rows] = PROGRAM_EXAMPLES;
  if (!rows) throw new Error("There is no example.");
  const onExample = vi.fn();
  const code = rows.code.replace("ROWS 2048", "ROWS 256");
  const run = { ...shown(rows.name, 3), code, build: rows.build };
  show([program(rows.name, { code, build: rows.build, shown: run })], {
    onExample,
  });
  expect(document.querySelector(".code-why")?.textContent).toBe(
    " This was written for ROWS = 2,048. Restore the example",
  );
  fireEvent.click(screen.getByRole("button", { name: "Restore the example" }));
  expect(onExample).toHaveBeenCalledWith(0, rows);
});

test("the_second_program_is_the_partner_by_a_press_or_any_example_by_choice", () => {
  const chosen: (string | undefined)[] = [];
  const [rows] = SCRIPT_EXAMPLES;
  if (!rows) throw new Error("There are no examples.");
  show([program(rows.name, { code: rows.code, shown: shown(rows.name, 3) })], {
    onAdd: (example) => chosen.push(example?.id),
  });
  fireEvent.click(screen.getByRole("button", { name: /^Compare with/ }));
  const choice = screen.getByRole("combobox", {
    name: "Compare with an example",
  });
  const last = SCRIPT_EXAMPLES.at(-1)?.id ?? "";
  fireEvent.change(choice, { target: { value: last } });
  expect(chosen).toEqual([undefined, last]);
});
