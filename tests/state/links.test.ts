import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink";
import { permalink } from "../../src/state/selectors";
import { createApp, startApp } from "./app";

test("a_link_restores_the_structure_and_the_accesses_that_are_shown_only", async () => {
  const app = await startApp();
  app.actions.pin(0);
  await app.actions.showOnly({
    by: "address",
    start: "0x1000",
    end: "0x3000",
    label: "heap",
  });
  const hash = encodePermalink(permalink(app.state()));
  expect(hash).toContain("only=address,0x1000,0x3000,heap&structure=0");

  const other = createApp();
  await other.actions.open(`#${hash}`);
  expect(other.state().pinned?.structure).toBe(0);
  expect(other.state().only?.filter.label).toBe("heap");
  expect(encodePermalink(permalink(other.state()))).toBe(hash);
});

test("a_structure_that_the_machine_lacks_is_not_shown", async () => {
  const app = await startApp({ structure: 99 });
  expect(app.state().pinned).toBeUndefined();
});
