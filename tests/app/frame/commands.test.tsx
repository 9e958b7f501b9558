import { expect, test, vi } from "vitest";
import {
  commandGroups,
  KEY_COMMANDS,
  matches,
} from "../../../src/app/frame/commands";
import { KEYS } from "../../../src/app/frame/keys";
import { nav } from "../../../src/texts/en/nav";
import type { Card } from "../../../src/model/glossary/cards";
import { SCREENS } from "../../../src/model/permalink/permalink";
import { startApp } from "../../state/app";

/** These belong to a picture, to a message, or to the palette itself. */
const NO_COMMANDS = ["⇧ drag", "C", "Esc", "Ctrl K", "Ctrl V"];

test("every_key_of_the_list_has_a_command_with_its_key", () => {
  const listed = KEYS.flatMap(({ keys }) => keys);
  const commands = KEY_COMMANDS.map(({ key }) => key);
  expect([...commands, ...NO_COMMANDS].sort()).toEqual([...listed].sort());
});

async function groups(part: Record<string, unknown> = {}) {
  const { actions, state, store } = await startApp();
  store.setState(part);
  const openDialog = vi.fn();
  const card: Card = { term: "tlb", name: "TLB", also: ["buffer"], text: "" };
  const found = commandGroups(state(), {
    actions,
    openDialog,
    names: nav.screens,
    cards: [card],
  });
  const all = found.flatMap(({ commands }) => commands);
  return { found, all, openDialog, state };
}

test("the_palette_has_screens_actions_examples_cpus_and_terms", async () => {
  const { found, all } = await groups();
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(found[0]?.commands).toHaveLength(SCREENS.length + 1);
  for (const id of ["key W", "trace chase", "cpu amd-zen2", "term tlb"])
    expect(ids).toContain(id);
});

test("a_command_presses_its_key_and_a_replay_key_needs_the_replay", async () => {
  const { all } = await groups();
  const pressed: KeyboardEvent[] = [];
  const listen = (event: KeyboardEvent) => pressed.push(event);
  document.addEventListener("keydown", listen);
  all.find(({ id }) => id === "key ⇧W")?.run();
  document.removeEventListener("keydown", listen);
  expect(pressed).toMatchObject([{ key: "W", shiftKey: true }]);
  const elsewhere = (await groups({ screen: "glossary" })).all;
  const ids = elsewhere.map(({ id }) => id);
  expect(ids).not.toContain("key W");
  expect(ids).toContain("key G");
});

test("words_are_found_in_any_order_and_all_must_be_there", () => {
  const contains = (text: string, word: string) =>
    text.toLowerCase().includes(word.toLowerCase());
  const text = "Zen 2 amd-zen2 AMD CPUs";
  expect(matches(text, "amd zen", contains)).toBe(true);
  expect(matches(text, " zen  AMD", contains)).toBe(true);
  expect(matches(text, "zen intel", contains)).toBe(false);
  expect(matches(text, "", contains)).toBe(true);
});
