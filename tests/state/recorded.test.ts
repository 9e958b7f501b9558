import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
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

