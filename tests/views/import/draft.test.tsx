// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Peek } from "../../../src/engine/generated/Peek";
import { TAKE_ALL } from "../../../src/model/importDraft";
import type { Reading, Take } from "../../../src/model/importDraft";
import { DraftView } from "../../../src/views/import/DraftView";
import { ExportForm } from "../../../src/views/import/ExportForm";
import { ImportProgress } from "../../../src/views/import/ImportProgress";
import { KeptList } from "../../../src/views/import/KeptList";
import { peekOf } from "./peeks";

afterEach(cleanup);

/** What was chosen, in order. */
function show(peek: Peek, take: Partial<Take> = {}) {
  const chosen: (Reading | Partial<Take> | "import")[] = [];
  render(
    <DraftView
      size={100}
      reading={{}}
      take={{ ...TAKE_ALL, ...take }}
      peek={peek}
      isLooking={false}
      isBusy={false}
      onReading={(part) => chosen.push(part)}
      onTake={(part) => chosen.push(part)}
      onImport={() => chosen.push("import")}
      onBack={() => undefined}
    />,
  );
  return chosen;
}

const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

const importButton = (name = "Import") =>
  screen.getByRole<HTMLButtonElement>("button", { name });

test.each([
  [{ line: 3 }, "Bad number (at line 3)."],
  [{ byte: 22994 }, "Bad number (at byte 22,994)."],
  [{ field: "select" }, "Bad number."],
  [undefined, "Bad number."],
])("a_problem_at_%j_is_told_with_its_place", (at, text) => {
  const problem = { code: "bad-trace", message: "bad number." } as const;
  show({ ...peekOf({}), problem: at ? { ...problem, at } : problem });
  expect(screen.getByTestId("import-problem").textContent).toBe(text);
});

test("what_is_guessed_of_a_list_can_be_told", () => {
  const chosen = show({
    ...peekOf({ format: "csv" }),
    list: {
      separator: "blanks",
      columns: ["size", "address"],
      base: "decimal",
      base_is_guessed: true,
      kind: "load",
      rows: [["8", "4096"]],
    },
  });
  expect(screen.getByText("a guess")).toBeTruthy();
  choose("Numbers", "hex");
  choose("Column 1, is", "address");
  choose("Accesses are", "store");
  choose("Between columns", "comma");
  choose("Format", "din");
  expect(chosen).toEqual([
    { list: { base: "hex" } },
    { list: { columns: ["address", null] } },
    { list: { kind: "store" } },
    { list: { separator: "comma" } },
    { format: "din" },
  ]);
});

test("a_lone_column_of_a_perf_script_can_be_told", () => {
  const chosen = show({
    ...peekOf({ format: "perf-script" }),
    lone_column: "ip",
  });
  const label = "The only column of addresses is";
  expect(screen.getByLabelText<HTMLSelectElement>(label).value).toBe(
    "perf-script-ip",
  );
  choose(label, "perf-script-addr");
  expect(chosen).toEqual([{ format: "perf-script-addr" }]);
});

test("processes_are_picked_and_others_are_typed", () => {
  const processes = [1, 2].map((pid) => ({
    pid,
    name: `p${pid}`,
    accesses: 10,
    threads: [{ tid: pid, accesses: 10 }],
  }));
  const chosen = show({ ...peekOf({ processes }), is_whole: false });
  fireEvent.click(screen.getByLabelText(/^1 p1/));
  fireEvent.change(
    screen.getByLabelText("Processes further on in the file, by number"),
    { target: { value: "77, 78" } },
  );
  expect(chosen).toEqual([{ pids: [1] }, { pids: [77, 78] }]);
});

test("first_records_and_the_choice_name_processes_alike", () => {
  const pids = [7, 2 ** 31 + 7, 2 ** 32 - 1];
  const processes = pids.map((pid) => ({ pid, accesses: 1, threads: [] }));
  const records = pids.map((pid) => ({
    address: "0x1000",
    size: 8,
    pid,
    tid: pid < 2 ** 32 - 1 ? 8 : pid,
    cpu: 0,
  }));
  const chosen = show({ ...peekOf({ processes }), records });
  for (const text of ["7 / 8", "7 (guest) / 8", "-1 / -1"]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  fireEvent.click(screen.getByLabelText(/^7 \(guest\)/));
  expect(chosen).toEqual([{ pids: [2 ** 31 + 7] }]);
});

test("what_is_typed_wrong_is_told_at_its_field_and_not_imported", () => {
  const chosen = show(peekOf({}), { from: "9", to: "3" });
  expect(screen.getByRole("alert").textContent).toBe(
    "It must be above the beginning.",
  );
  expect(importButton().disabled).toBe(true);
  expect(chosen).toEqual([]);
});

test("samples_are_opened_as_samples", () => {
  const chosen = show(peekOf({ completeness: "sampled" }));
  fireEvent.click(importButton("Open as a sample"));
  expect(chosen).toEqual(["import"]);
});

test("a_file_that_cannot_be_read_shows_its_beginning_and_why", () => {
  show({
    packed: [],
    records: [],
    shown: ["00 01"],
    is_whole: true,
    problem: { code: "unknown-format", message: "it is binary" },
  });
  expect(screen.getByRole("alert").textContent).toBe("It is binary");
  expect(screen.getByText("00 01")).toBeTruthy();
  expect(importButton().disabled).toBe(true);
});

const ITEM = {
  hash: "h",
  name: "a.lackey",
  format: "lackey",
  completeness: "complete",
  accesses: 3,
  bytes: 1200,
  date: 0,
} as const;

test("deleting_all_is_asked_first_and_one_can_be_put_back", () => {
  const done: string[] = [];
  render(
    <KeptList
      kept={[ITEM, { ...ITEM, hash: "i", name: "b.lackey" }]}
      open="h"
      deleted={{ ...ITEM, name: "c.lackey" }}
      onOpen={(hash) => done.push(`open ${hash}`)}
      onDelete={(hash) => done.push(`delete ${hash}`)}
      onPutBack={() => done.push("put back")}
      onDeleteAll={() => done.push("delete all")}
    />,
  );
  const click = (name: string) =>
    fireEvent.click(screen.getByRole("button", { name }));
  click("Open b.lackey");
  click("Delete a.lackey");
  click("Undo");
  click("Delete all…");
  expect(screen.getByRole("alert").textContent).toContain("2 traces, 2.4 kB");
  click("Delete all");
  expect(done).toEqual(["open i", "delete h", "put back", "delete all"]);
});

test("why_nothing_is_kept_stands_in_the_place_of_the_list", () => {
  const none = () => undefined;
  render(
    <KeptList
      kept={[]}
      problem="Nothing is kept: no room."
      onOpen={none}
      onDelete={none}
      onPutBack={none}
      onDeleteAll={none}
    />,
  );
  expect(screen.getByText("Nothing is kept: no room.")).toBeTruthy();
  expect(screen.queryByText(/None yet/)).toBeNull();
});

test("an_export_says_what_a_format_cannot_hold_before_and_after", () => {
  const chosen: string[] = [];
  render(
    <ExportForm
      name="a.lackey"
      accesses={3}
      written={{
        name: "a.din",
        bytes: 30,
        lost: [{ what: "sizes", count: 3 }],
      }}
      onExport={(format) => chosen.push(format)}
      onCancel={() => undefined}
    />,
  );
  choose("As", "din");
  expect(screen.getByText(/Keeps kinds and addresses only/)).toBeTruthy();
  expect(screen.getByTestId("exported").textContent).toContain("sizes (3)");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(chosen).toEqual(["din"]);
});

test.each([
  ["the file ends first", 10_000_000, undefined, "1 min 40 s left"],
  ["the limit comes first", 10_000_000, 2_000_000, "1.0 s left"],
  ["the limit is beyond the end", 10_000_000, 900_000_000, "1 min 40 s left"],
])("the_time_left_of_an_import_where_%s", (_, size, limit, left) => {
  const progress = { done: 100_000, rate: 100_000, accesses: 1_000_000 };
  render(
    <ImportProgress
      name="t.lackey"
      size={size + 100_000}
      {...(limit === undefined ? {} : { limit })}
      progress={progress}
      onCancel={() => undefined}
    />,
  );
  expect(screen.getByTestId("import-progress").textContent).toContain(left);
});
