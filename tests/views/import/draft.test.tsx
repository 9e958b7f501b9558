import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import type { ImportReport } from "../../../src/engine/generated/ImportReport";
import type { Peek } from "../../../src/engine/generated/Peek";
import { TAKE_ALL } from "../../../src/model/import/draft";
import type { Reading, Take } from "../../../src/model/import/draft";
import { DraftView } from "../../../src/views/import/DraftView";
import { ExportForm } from "../../../src/views/import/ExportForm";
import { ImportProgress } from "../../../src/views/import/ImportProgress";
import { KeptList } from "../../../src/views/import/KeptList";
import { TakeFields } from "../../../src/views/import/TakeFields";
import { sampling } from "../samples/data";
import { peekOf } from "./peeks";

afterEach(cleanup);

/** Renders the draft. Returns the choices of the user, in order. */
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
])("a_problem_at_%j_is_reported_with_its_place", (at, text) => {
  const problem = { code: "bad-trace", message: "bad number." } as const;
  show({ ...peekOf({}), problem: at ? { ...problem, at } : problem });
  expect(screen.getByTestId("import-problem").textContent).toBe(text);
});

test("what_is_guessed_of_a_list_can_be_corrected", () => {
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

test("a_lone_column_of_a_perf_script_can_be_named", () => {
  const chosen = show({
    ...peekOf({ format: "perf-script" }),
    lone_column: "perf-script-ip",
  });
  const label = "The only address column is";
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
    screen.getByLabelText("Processes later in the file, by number"),
    { target: { value: "77, 78" } },
  );
  expect(chosen).toEqual([{ pids: [1] }, { pids: [77, 78], wrongPids: [] }]);
});

test("a_virtual_machine_further_on_is_typed_and_what_is_none_is_reported", () => {
  const guest = 2 ** 31 + 8;
  const process = { pid: guest + 1, accesses: 1, threads: [] };
  const chosen = show(
    { ...peekOf({ processes: [process] }), is_whole: false },
    { pids: [guest] },
  );
  const field = screen.getByLabelText<HTMLInputElement>(
    "Processes later in the file, by number",
  );
  expect(field.value).toBe("guest:8");
  fireEvent.change(field, { target: { value: "guest:8, 9, quest:7" } });
  expect(chosen).toEqual([{ pids: [guest, 9], wrongPids: ["quest:7"] }]);
  // The error is not reported at each key.
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.blur(field);
  expect(screen.getByRole("alert").textContent).toBe(
    "“quest:7” is not a process: type a number, such as 1234, or guest:1234 for a process in the virtual machine 1234.",
  );
  fireEvent.change(field, { target: { value: "guest:8, 9, guest:7" } });
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each<[string, Partial<ImportReport>, string]>([
  ["a list without guests", { format: "csv" }, "others, by number"],
  ["lackey", { format: "lackey" }, "others, by number"],
  [
    "a list of a recording with guests",
    {
      format: "csv",
      processes: [{ pid: 2 ** 31 + 7, accesses: 1, threads: [] }],
    },
    "others: 1234, guest:1234",
  ],
  ["samples", { sampling }, "others: 1234, guest:1234"],
])("of_%s_guests_are_offered_where_there_can_be_any", (_, report, words) => {
  show({ ...peekOf(report), is_whole: false });
  const field = screen.getByLabelText<HTMLInputElement>(
    "Processes later in the file, by number",
  );
  expect(field.placeholder).toBe(words);
});

test("what_is_wrong_is_reported_once_a_field_is_left_and_no_longer_than_it_is", () => {
  const Form = () => {
    const [take, setTake] = useState(TAKE_ALL);
    const onTake = (part: Partial<Take>) => setTake({ ...take, ...part });
    return <TakeFields peek={peekOf({})} take={take} onTake={onTake} />;
  };
  render(<Form />);
  const alerts = () =>
    screen.queryAllByRole("alert").map(({ textContent }) => textContent);
  choose("Keep", "1");
  choose("Keep", "10");
  expect(alerts()).toEqual([]);
  fireEvent.blur(screen.getByLabelText("Keep"));
  expect(alerts()).toEqual(["Of how many accesses?"]);
  choose("of every", "5");
  expect(alerts()).toEqual([]);
  fireEvent.blur(screen.getByLabelText("of every"));
  expect(alerts()).toEqual(["Write 1 up to the size of a part."]);
  choose("of every", "50");
  expect(alerts()).toEqual([]);
  choose("At most", "0");
  expect(alerts()).toEqual([]);
  fireEvent.keyDown(screen.getByLabelText("At most"), { key: "Enter" });
  expect(alerts()).toEqual(["Write 1 or more."]);
});

test("a_key_asks_what_is_wrong_too", () => {
  show({ ...peekOf({}), is_whole: false });
  const field = screen.getByLabelText("Processes later in the file, by number");
  fireEvent.change(field, { target: { value: "1x" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByRole("alert").textContent).toBe(
    "“1x” is not a process: type a number, such as 1234.",
  );
});

test("a_word_that_is_no_process_or_thread_is_not_imported", () => {
  show(peekOf({}), { wrongPids: ["1x"] });
  expect(importButton().disabled).toBe(true);
  cleanup();
  show(peekOf({}), { wrongTids: ["1x"] });
  expect(importButton().disabled).toBe(true);
  cleanup();
  show(peekOf({}), {});
  expect(importButton().disabled).toBe(false);
});

test("operations_are_among_the_first_records", () => {
  const peek = peekOf({ records: 3, operations: 1 });
  const operation = {
    op: "munmap",
    start: "0x1000",
    length: "0x2000",
    flush: true,
  } as const;
  const place = { pid: 0, tid: 0, cpu: 0, size: 0, address: "0x1000" };
  const records = [...peek.records, { ...place, operation }];
  show({ ...peek, records });
  expect(screen.getByText("3 of 3")).toBeTruthy();
  expect(screen.getByText("munmap of 8.0 KiB at 0x1000")).toBeTruthy();
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

test("what_is_typed_wrong_is_reported_at_its_field_and_not_imported", () => {
  const chosen = show(peekOf({}), { from: "9", to: "3" });
  expect(screen.getByRole("alert").textContent).toBe(
    "The end must be after the beginning.",
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
      problem="No traces can be kept: no space."
      onOpen={none}
      onDelete={none}
      onPutBack={none}
      onDeleteAll={none}
    />,
  );
  expect(screen.getByText("No traces can be kept: no space.")).toBeTruthy();
  expect(screen.queryByText(/No traces yet/)).toBeNull();
});

test("an_export_says_what_a_format_cannot_hold_before_and_after", () => {
  const chosen: string[] = [];
  render(
    <ExportForm
      name="a.lackey"
      accesses={3}
      operations={0}
      samples={0}
      samplesAddress="#samples"
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
  [1, 0, undefined],
  [0, 1, undefined],
  [
    0,
    0,
    "s.data has no access to save: none of its 1,200 samples has a data address.",
  ],
])(
  "of_%d_accesses_and_%d_operations_an_export_is_offered_or_not",
  (accesses, operations, why) => {
    render(
      <ExportForm
        name="s.data"
        accesses={accesses}
        operations={operations}
        samples={1200}
        samplesAddress="#samples"
        onExport={() => undefined}
        onCancel={() => undefined}
      />,
    );
    const button = screen.queryByRole("button", { name: "Save" });
    expect(button === null).toBe(why !== undefined);
    if (why === undefined) return;
    const [reason] = screen.getByTestId("export-form").querySelectorAll("p");
    expect(reason?.textContent).toBe(why);
    const link = screen.getByRole("link", { name: "Samples" });
    expect(link.getAttribute("href")).toBe("#samples");
  },
);

test("how_far_an_import_is_counts_to_where_it_ends_and_both_are_shown", () => {
  const show = (limit?: number, hasSelection = false) => {
    render(
      <ImportProgress
        name="t.lackey"
        size={2_000_000_000}
        hasSelection={hasSelection}
        {...(limit === undefined ? {} : { limit })}
        progress={{ done: 90_000_000, rate: 0, accesses: 9_000_000 }}
        onCancel={() => undefined}
      />,
    );
    const bar = screen.getByRole("progressbar");
    const text = [
      ...screen.getByTestId("import-progress").querySelectorAll("p"),
    ]
      .slice(1)
      .map(({ textContent }) => textContent);
    cleanup();
    return [bar.getAttribute("aria-valuetext"), ...text];
  };
  expect(show()).toEqual([
    "4.5 %",
    "90.0 MB of 2.0 GB · 0 B/s · 9,000,000 accesses so far",
  ]);
  expect(show(10_000_000)).toEqual([
    "90.0 %",
    "90.0 MB of about 100 MB · 0 B/s · 9,000,000 accesses so far",
    "The import ends after the first 10,000,000 accesses; the rest of the 2.0 GB is not read.",
  ]);
  expect(show(900_000_000)).toEqual([
    "4.5 %",
    "90.0 MB of 2.0 GB · 0 B/s · 9,000,000 accesses so far",
    "The import ends with the file, or after its first 900,000,000 accesses.",
  ]);
  expect(show(10_000_000, true).at(-1)).toBe(
    "The import ends after the first 10,000,000 accesses of your selection; the rest of the 2.0 GB is not read.",
  );
  expect(show(900_000_000, true).at(-1)).toBe(
    "The import ends with the file, or after the first 900,000,000 accesses of your selection.",
  );
});

test.each([
  [
    { what: "loading", done: 9e6, total: 27e6 },
    "Loading the compiler: 9.0 MB of 27.0 MB",
    "33.3 %",
  ],
  [{ what: "compiling" }, "Compiling", null],
  [{ what: "running", accesses: 1234 }, "Running: 1,234 accesses", null],
] as const)(
  "a_program_whose_accesses_are_imported_says: %j",
  (step, ...says) => {
    render(
      <ImportProgress name="a.wasm" step={step} onCancel={() => undefined} />,
    );
    const shown = screen.getByTestId("import-progress");
    expect(shown.querySelector("p")?.textContent).toBe("Running a.wasm");
    const bar = screen.getByRole("progressbar").getAttribute("aria-valuetext");
    expect([shown.querySelector(".small")?.textContent, bar]).toEqual(says);
  },
);

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
