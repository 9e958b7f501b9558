import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { startApp } from "./app";

const file = (bytes: number) => new Blob(["x".repeat(bytes)]);
const RECORDED = { default: "4K", map: "recorded" };

test("a_recording_with_page_sizes_is_simulated_with_them", async () => {
  const { actions, engine, state } = await startApp();
  await actions.importFile({ file: file(90), name: "huge.txt" });
  expect(state().configuration?.setup.os).toMatchObject(RECORDED);
  expect(engine.log.at(-1)).not.toMatch(/^configure/);
  expect(
    engine.log.filter((call) => call.startsWith("configure")),
  ).toHaveLength(2);
  expect(encodePermalink(permalink(state()))).toContain("pages=recorded");
});

test("a_chosen_policy_stays_and_the_recorded_pages_can_be_chosen_again", async () => {
  const { actions, state } = await startApp();
  await actions.choosePages("2M");
  await actions.importFile({ file: file(90), name: "huge.txt" });
  expect(state().configuration?.setup.os.default).toBe("2M");
  await actions.choosePages("recorded");
  expect(state().configuration?.setup.os).toMatchObject(RECORDED);
  await actions.choosePages("4K");
  expect(state().configuration?.setup.os).not.toHaveProperty("map");
  await actions.undo();
  expect(state().configuration?.setup.os).toMatchObject(RECORDED);
});

test("another_trace_without_page_sizes_has_the_usual_pages", async () => {
  const { actions, state } = await startApp();
  await actions.importFile({ file: file(90), name: "huge.txt" });
  await actions.importFile({ file: file(90), name: "plain.txt" });
  expect(state().configuration?.setup.os).not.toHaveProperty("map");
});

test("the_tables_that_an_example_gives_do_not_stay_for_another_trace", async () => {
  const example = BUILT_IN_TRACES.find(({ given }) => given !== undefined);
  if (!example) throw new Error("an example gives tables");
  const { actions, state } = await startApp();
  const os = () => state().configuration?.setup.os;
  await actions.openBuiltIn(example);
  expect(os()).toHaveProperty("given");
  await actions.importFile({ file: file(90), name: "plain.txt" });
  expect(os()).not.toHaveProperty("given");
  await actions.openBuiltIn(example);
  await actions.importFile({ file: file(90), name: "huge.txt" });
  expect(os()).toMatchObject(RECORDED);
  await actions.openBuiltIn(example);
  await actions.generateTrace({ workload: { id: "zipf", params: {} } });
  expect(os()).not.toHaveProperty("given");
});

test("a_machine_without_these_pages_keeps_its_own_and_says_so", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("configure", "bad-config", "os.regions[0].pages");
  await actions.importFile({ file: file(90), name: "huge.txt" });
  expect(state().configuration?.setup.os).not.toHaveProperty("map");
  expect(state().notices[0]?.text).toMatch(
    /^The page sizes of the recording are not used: /,
  );
  expect(state().trace?.name).toBe("huge.txt");
});

test("a_memory_map_describes_the_open_recording", async () => {
  const { actions, state } = await startApp();
  await actions.importFile({ file: file(90), name: "plain.txt" });
  await actions.goTo(40);
  const asks = await actions.dropFile([{ file: file(9), name: "maps.1234" }]);
  expect(asks).toBe(false);
  expect(state()).toMatchObject({
    trace: { name: "plain.txt", recorded: { n_ranges: 1 } },
    cursor: 40,
    draft: undefined,
    importing: undefined,
  });
  expect(state().configuration?.setup.os).toMatchObject(RECORDED);
  expect(state().notices[0]?.text).toMatch(/^“maps.1234” names /);
});

test("a_memory_map_that_is_wrong_is_one_error_and_changes_nothing", async () => {
  const { actions, engine, state } = await startApp();
  await actions.importFile({ file: file(90), name: "plain.txt" });
  const { trace } = state();
  engine.failNext("describe", "bad-trace");
  await actions.dropFile([{ file: file(9), name: "maps" }]);
  expect(state().trace).toBe(trace);
  expect(state().notices.map(({ text }) => text)).toEqual([
    "maps: describe failed.",
  ]);
});

test("a_memory_map_without_a_recording_asks_the_user", async () => {
  const { actions, state } = await startApp();
  const asks = await actions.dropFile([{ file: file(9), name: "maps" }]);
  expect(asks).toBe(true);
  expect(state().draft?.peek?.problem?.code).toBe("memory-map");
});

test("the_line_of_an_access_is_looked_up", async () => {
  const { actions, state } = await startApp();
  await actions.showSource("0x40");
  expect(state().source).toMatchObject({
    trace: state().trace,
    ip: "0x40",
    view: { line: 4 },
  });
});
