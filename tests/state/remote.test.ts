import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { nameOf } from "../../src/state/import/remote";
import { linkLacks } from "../../src/state/start/linkLacks";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { createApp } from "./app";
import type { FakeRemote } from "./fakeRemote";

const [first] = BUILT_IN_TRACES;
const ADDRESS = "https://host/dir/x.lackey.gz";

async function opened(hash: string, part: Partial<FakeRemote> = {}) {
  const app = createApp();
  Object.assign(app.remote, part);
  await app.actions.open(`#${hash}`);
  return app;
}

/** The dialog, once the server was asked. */
async function asked(hash: string, part: Partial<FakeRemote> = {}) {
  const app = await opened(hash, part);
  await expect.poll(() => app.state().remote?.size).not.toBeNull();
  await expect.poll(() => app.state().remote).toBeDefined();
  return app;
}

test("nothing_is_fetched_before_the_press_and_the_example_is_open", async () => {
  const app = await asked(`trace=${ADDRESS}&access=7`, { size: 40 });
  expect(app.state()).toMatchObject({
    builtIn: first.id,
    notices: [],
    remote: { address: ADDRESS, host: "host", isOwn: false, size: 40 },
  });
  expect(app.remote.log).toEqual([`look ${ADDRESS}`]);
  await app.actions.fetchRemote();
  await expect.poll(() => app.state().carried).toBeDefined();
  expect(app.state()).toMatchObject({
    trace: { name: "x.lackey.gz", n_accesses: 40 },
    cursor: 7,
    remote: undefined,
    notices: [],
  });
  expect(linkLacks(app.state())).toBeUndefined();
  const link = encodePermalink(permalink(app.state()));
  expect(link).toContain(`trace=${ADDRESS}&file=x.lackey.gz`);
  // The address is asked again elsewhere, not here.
  await expect.poll(() => app.state().kept).toHaveLength(1);
  const again = createApp(app.kept);
  await again.actions.open(`#${encodePermalink(permalink(app.state()))}`);
  expect(again.state()).toMatchObject({ cursor: 7, remote: undefined });
  expect(again.remote.log).toEqual([]);
});

test.each([
  ["traces/x.pagewalk.gz", "http://own/traces/x.pagewalk.gz", true],
  ["./x.gz", "http://own/x.gz", true],
  ["https://host/a?b=c%26d", "https://host/a?b=c&d", false],
])("%s_is_the_address_%s", async (wanted, address, isOwn) => {
  const { state } = await asked(`trace=${wanted}`);
  expect(state().remote).toMatchObject({ address, isOwn });
  expect(state().remote?.size).toBeUndefined();
});

test("the_address_after_redirects_is_shown", async () => {
  const { state } = await asked(`trace=${ADDRESS}`, {
    leads: "https://other/y.gz",
  });
  expect(state().remote).toMatchObject({
    address: "https://other/y.gz",
    host: "other",
  });
});

test.each([
  [
    "its server has no such file (404).",
    new Error("its server has no such file (404)."),
  ],
  ["It is larger than", new Error("it is larger than")],
])("that_%s_is_said_in_the_dialog", async (problem, answer) => {
  const app = await asked(`trace=${ADDRESS}`, { answer });
  await app.actions.fetchRemote();
  expect(app.state().remote?.problem?.toLowerCase()).toContain(
    problem.toLowerCase(),
  );
  expect(app.state().builtIn).toBe(first.id);
  app.actions.closeRemote();
  expect(app.state().remote).toBeUndefined();
});

test("a_file_that_is_too_large_is_not_read_on", async () => {
  const app = await asked(`trace=${ADDRESS}`, { size: 600_000_000 });
  await app.actions.fetchRemote();
  expect(app.state().remote?.problem).toMatch(/larger than/);
  expect(app.engine.log).not.toContain("import x.lackey.gz");
});

test("what_is_fetched_and_no_trace_leaves_the_example_and_one_notice", async () => {
  const app = await asked(`trace=${ADDRESS}`);
  app.engine.failNext("import", "bad-trace");
  await app.actions.fetchRemote();
  expect(app.state()).toMatchObject({ builtIn: first.id, remote: undefined });
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    "x.lackey.gz: import failed.",
  ]);
});

test("another_protocol_is_refused_with_a_notice", async () => {
  const { state } = await opened("trace=ftp://host/x");
  await expect
    .poll(() => state().notices.map(({ text }) => text))
    .toEqual(["The link’s trace cannot be fetched: ftp is not fetched."]);
  expect(state().remote).toBeUndefined();
});

test.each([
  ["https://h/a/b%20c.gz?x=/y#z", "b c.gz"],
  ["https://h/", "trace"],
  ["https://h/%FF", "%FF"],
])("the_file_of_%s_is_%s", (address, name) => {
  expect(nameOf(address)).toBe(name);
});
