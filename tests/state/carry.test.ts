import { expect, test } from "vitest";
import { MAX_LINK } from "../../src/model/code/code";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { linkLacks } from "../../src/state/start/linkLacks";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { createApp, settle, startApp } from "./app";
import { BUILD, RESULT } from "./codeApp";

const [first] = BUILT_IN_TRACES;
const CODE = "load(8)";

async function imported(
  content: BlobPart,
  more: { choices?: object; code?: string } = {},
) {
  const app = await startApp();
  const file = new Blob([content]);
  await app.actions.importFile({ file, name: "a.csv", ...more });
  // The trace is kept with its form in links.
  await expect.poll(() => app.state().kept).toHaveLength(1);
  return app;
}

/** The link of what is on the screen, opened by somebody else. */
async function opened(link: string) {
  const other = createApp();
  await other.actions.open(`#${link}`);
  await settle();
  return other;
}

const linkOf = ({ state }: Awaited<ReturnType<typeof imported>>) =>
  encodePermalink(permalink(state()));

test("a_small_text_travels_in_the_link_and_opens_as_if_pasted", async () => {
  const app = await imported("0x10\n0x20\n", { choices: { limit: 5 } });
  await app.actions.goTo(7);
  expect(linkLacks(app.state())).toBeUndefined();
  const link = linkOf(app);
  const other = await opened(link);
  expect(other.state()).toMatchObject({
    trace: { name: "a.csv", n_accesses: 10 },
    builtIn: undefined,
    cursor: 7,
    notices: [],
    hash: "hash of a.csv",
  });
  expect(other.engine.imported).toMatchObject({ format: "csv", limit: 5 });
  expect(linkOf(other)).toBe(link);
  // It is kept, so a reload does not need the data.
  expect(other.state().kept).toMatchObject([{ name: "a.csv" }]);
  const again = createApp(other.kept);
  await again.actions.openKept("hash of a.csv");
  await again.actions.start({ file: "a.csv", hash: "hash of a.csv" });
  expect(linkOf(again)).toContain("data=1.text.");
});

test.each([
  ["a binary file", new Uint8Array([0x1f, 0x8b, 0xff])],
  ["a zero", "a\0b"],
  ["a long text", "x".repeat(MAX_LINK)],
  ["a very long text", "x".repeat(200_000)],
])("%s_does_not_travel", async (_what, content) => {
  const app = await imported(content);
  expect(app.state().trace?.name).toBe("a.csv");
  expect(linkOf(app)).not.toContain("data=");
  expect(linkLacks(app.state())).toMatch(/^Others cannot open “a\.csv”/);
});

test.each([
  ["1.text.cut", "its data in the link is damaged. Was the link cut short?"],
  ["1.text.no head!", "its data in the link is damaged."],
  ["nonsense", "its data in the link is damaged."],
  ["7.text.x!", "a newer version of Pagewalk wrote the link."],
])("with_%s_the_example_opens_and_one_notice_says_why", async (data, why) => {
  const { state } = await opened(
    `file=a.csv&data=${encodeURIComponent(data)}&access=3`,
  );
  expect(state().builtIn).toBe(first.id);
  expect(state().task).toBeUndefined();
  expect(state().notices.map(({ text }) => text)).toEqual([
    expect.stringContaining(`“a.csv” cannot be opened: ${why}`),
  ]);
});

test("data_that_the_importer_refuses_leaves_the_example_and_one_notice", async () => {
  const app = createApp();
  app.engine.failNext("import", "bad-trace");
  await app.actions.open("#file=a.csv&data=1.text.{}%0Aabc!");
  expect(app.state().builtIn).toBe(first.id);
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    `The link’s trace cannot be opened: import failed. “${first.title}” is shown.`,
  ]);
});

test("the_code_of_a_program_travels_and_runs_only_after_a_press", async () => {
  const app = await imported(new Uint8Array([0xff, 0, 1]), { code: CODE });
  await app.actions.goTo(2);
  const link = linkOf(app);
  expect(link).toContain("data=1.loop.load(8)!");

  const other = await opened(link);
  expect(other.codeService.ran).toEqual([]);
  const [notice] = other.state().notices;
  expect(notice?.text).toMatch(/^A program makes the trace “a\.csv”/);
  const result = { accesses: 3, arrays: [], log: [] };
  other.codeService.outcome = { file: () => new Blob(["xxx"]), result };
  notice?.button?.onPress();
  await expect.poll(() => other.state().trace?.name).toBe("a.csv");
  await settle();
  expect(other.codeService.ran).toEqual([CODE]);
  expect(other.state()).toMatchObject({
    screen: "replay",
    cursor: 2,
    notices: [],
    codeScreen: { programs: [{ name: "a.csv", code: CODE }] },
  });
  expect(other.codeService.stored).toEqual([]);
});

test("the_accesses_of_a_linked_program_in_c_are_imported_while_it_runs", async () => {
  const app = await startApp();
  const file = new Blob(["xxx"]);
  const request = { file, name: "a.c", code: "int main() {}", build: BUILD };
  await app.actions.importFile(request);
  await expect.poll(() => app.state().kept).toHaveLength(1);
  await app.actions.goTo(2);
  const link = linkOf(app);
  expect(link).toContain("data=1.program.");

  const other = await opened(link);
  const { built } = other.codeService;
  built.packs = true;
  other.engine.nParts = 3;
  built.outcome = {
    file: () => {
      throw new Error("The file is not needed.");
    },
    result: { ...RESULT, accesses: 3 },
  };
  other.state().notices[0]?.button?.onPress();
  await expect.poll(() => other.state().trace?.name).toBe("a.c");
  await settle();
  expect(other.state()).toMatchObject({
    screen: "replay",
    cursor: 2,
    notices: [],
    importing: undefined,
  });
  // It travels on.
  await expect.poll(() => other.state().kept).toHaveLength(1);
  expect(linkOf({ ...other })).toBe(link);
});

test("a_linked_program_that_fails_says_so_and_the_example_stays", async () => {
  const { state, codeService } = await opened("file=mine&data=1.loop.load(8)!");
  codeService.outcome = { message: "It threw.", line: 3 };
  state().notices[0]?.button?.onPress();
  await expect
    .poll(() => state().notices.at(-1)?.text)
    .toContain("The program “mine” of the link failed: It threw.");
  expect(state()).toMatchObject({ builtIn: first.id, task: undefined });
});

test("a_saved_run_names_the_trace_and_does_not_hold_it", async () => {
  const app = await imported("0x10\n");
  await app.actions.saveRun({ name: "mine", note: "" });
  expect(app.state().saved.runs?.[0]?.trace.link).toEqual({
    file: "a.csv",
    hash: "hash of a.csv",
  });
});
