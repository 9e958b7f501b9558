import { expect, test } from "vitest";
import {
  SCRIPT_EXAMPLES,
  SCRIPT_PAIRS,
} from "../../src/model/code/scriptExamples";
import { MAX_LINK } from "../../src/model/code/code";
import type { ProgramText } from "../../src/model/code/code";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { linkLacks } from "../../src/state/start/linkLacks";
import { permalink } from "../../src/state/selectors";
import { createApp, settle } from "./app";
import { CODE, arrived, mine, openPrograms, programOf } from "./codeApp";

test("known_code_runs_with_the_screen_and_unknown_code_of_a_link_waits_for_its_reader", async () => {
  const waits = async (
    hash: string,
    stored: readonly ProgramText[] = [mine("one")],
  ) => {
    const app = await openPrograms(hash, stored);
    // What a link shows does not replace what the user wrote.
    expect(app.codeService.stored).toBe(stored);
    expect(app.codeService.ran).toEqual([]);
    const { name, code, waits } = programOf(app);
    return `${name} ${code === CODE ? "mine" : "another"} ${waits}`;
  };
  const [example] = SCRIPT_EXAMPLES;
  const link = (code: string) =>
    `#${encodePermalink({ screen: "code", program: "linked", code: `${code}!` })}`;
  expect(await waits("#screen=code")).toBe("one mine screen");
  expect(await waits("#screen=code", [])).toBe("rows another screen");
  expect(await waits(link("load(1)"))).toBe("linked another reader");
  expect(await waits(link(CODE))).toBe("linked mine screen");
  expect(await waits(link(example?.code ?? ""))).toBe("linked another screen");
});

test("a_damaged_link_leaves_the_code_that_was_there", async () => {
  const app = await openPrograms("#screen=code&code=cut");
  expect(programOf(app)).toMatchObject(mine("one"));
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    "The code of the link cannot be read: was the link cut short?",
  ]);
});

test("what_is_written_is_kept_and_found_again", async () => {
  const app = await openPrograms();
  app.actions.editProgram(0, { code: "load(1)" });
  app.actions.editProgram(0, { name: "eight" });
  await app.actions.addProgram();
  const both = [mine("eight", "load(1)"), mine("eight 2", "load(1)")];
  expect(app.codeService.stored).toEqual(both);
  const again = await openPrograms("#screen=code", both);
  expect(again.state().codeScreen?.programs.map(({ name }) => name)).toEqual([
    "eight",
    "eight 2",
  ]);
});

test("any_example_can_be_the_second_program", async () => {
  const app = await openPrograms();
  const example = SCRIPT_EXAMPLES.at(-1);
  await app.actions.addProgram(example);
  expect(app.state().codeScreen?.programs[1]).toMatchObject({
    name: example?.name,
    code: example?.code,
  });
});

test("a_link_holds_both_programs", async () => {
  const app = await openPrograms();
  const [pair] = SCRIPT_PAIRS;
  await app.actions.showPair(pair?.programs ?? []);
  await settle();
  const link = permalink(app.state());
  expect(link).toMatchObject({ program: "rows", program2: "columns" });
  const other = createApp();
  await other.actions.open(`#${encodePermalink(link)}`);
  await arrived(other);
  expect(
    other
      .state()
      .codeScreen?.programs.map(({ name, waits }) => `${name} ${waits}`),
  ).toEqual(["rows screen", "columns screen"]);
  expect(permalink(other.state())).toEqual(link);
});

test("an_example_is_compared_with_its_partner", async () => {
  const app = await openPrograms("#screen=code", []);
  await app.actions.addProgram();
  expect(programOf(app, 1)).toMatchObject({ name: "columns", waits: "screen" });
});

test("code_that_is_too_long_for_a_link_is_told_when_it_is_shared", async () => {
  const app = await openPrograms();
  app.actions.editProgram(0, { code: "x".repeat(MAX_LINK) });
  await settle();
  expect(programOf(app)).toMatchObject({ packed: undefined, isTooLong: true });
  expect(linkLacks(app.state())).toMatch(
    /^The code is too long for a link: save it as a file/,
  );
  app.actions.editProgram(0, { code: "x".repeat(MAX_LINK - 1) });
  await settle();
  expect(programOf(app)).toMatchObject({ isTooLong: false });
});
