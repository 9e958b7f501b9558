/** Imports of files whose parts come while they are made. */
import { expect, test } from "vitest";
import { PartWriter } from "../../src/engine/parts";
import { nextTask } from "../../src/engine/slices";
import { lines, setup, start } from "./fakeClient";

const part = (text: string) => new TextEncoder().encode(text);

test("a_file_is_imported_while_it_is_made_and_its_parts_come_back", async () => {
  const { engine } = start();
  const writer = new PartWriter();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  const parts = [part("access\nacc"), part("ess\n"), part("access\n")];
  const texts = parts.map((each) => each.slice());
  for (const each of parts) {
    writer.write(each);
    // It is moved, not copied.
    expect(each.length).toBe(0);
    await nextTask();
  }
  expect(await writer.end()).toEqual(texts);
  expect(await importing).toMatchObject({ name: "a", n_accesses: 3 });
});

test("parts_that_came_before_the_import_are_imported_too", async () => {
  const { engine } = start();
  const writer = new PartWriter();
  writer.write(part("access\n"));
  const ending = writer.end();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  expect(await importing).toMatchObject({ n_accesses: 1 });
  expect(await ending).toEqual([part("access\n")]);
});

test("the_parts_of_an_import_that_fails_come_back", async () => {
  const { engine } = start();
  const writer = new PartWriter();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  importing.catch(() => undefined);
  writer.write(part("bad\n"));
  writer.write(part("access\n"));
  expect(await writer.end()).toHaveLength(2);
  await expect(importing).rejects.toMatchObject({ code: "bad-trace" });
});

test("a_cancelled_file_keeps_the_trace_before_it_and_lets_the_next_one_in", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(4), name: "before" });
  await engine.call("configure", setup());
  const writer = new PartWriter();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  importing.catch(() => undefined);
  writer.write(part("access\n"));
  writer.cancel();
  await expect(importing).rejects.toMatchObject({ code: "cancelled" });
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 4 },
  });
  const next = await engine.start("import", { file: lines(2), name: "next" });
  expect(next).toMatchObject({ n_accesses: 2 });
});

test("the_signal_ends_an_import_that_waits_for_its_next_part", async () => {
  const { engine, log } = start();
  const writer = new PartWriter();
  const abort = new AbortController();
  const importing = engine.start(
    "import",
    { file: writer.file, name: "a" },
    { signal: abort.signal },
  );
  importing.catch(() => undefined);
  writer.write(part("access\n"));
  await nextTask();
  abort.abort();
  await expect(importing).rejects.toMatchObject({ code: "cancelled" });
  expect(log).toContain("end import");
  // Parts that come later return, too.
  writer.write(part("access\n"));
  expect(await writer.end()).toEqual([part("access\n"), part("access\n")]);
});

test("the_next_import_ends_one_that_waits_for_its_next_part", async () => {
  const { engine } = start();
  const writer = new PartWriter();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  importing.catch(() => undefined);
  writer.write(part("access\n"));
  await nextTask();
  const next = engine.start("import", { file: lines(2), name: "next" });
  await expect(importing).rejects.toMatchObject({ code: "cancelled" });
  expect(await next).toMatchObject({ n_accesses: 2 });
});

test("parts_that_are_kept_elsewhere_are_imported_again_after_a_crash", async () => {
  const { engine } = start();
  const writer = new PartWriter();
  const kept: Blob[] = [];
  const importing = engine.start(
    "import",
    { file: writer.file, name: "a" },
    { again: () => kept[0] },
  );
  writer.write(part("access\n"));
  kept.push(new Blob([...(await writer.end())]));
  await importing;
  await engine.call("configure", setup());
  await engine.start("run", {});
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toMatchObject({
    outcome: "restored",
    trace: { name: "a", n_accesses: 1 },
  });
});

test("an_instance_that_dies_does_not_get_the_trace_before_the_parts", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(4), name: "before" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  const writer = new PartWriter();
  const importing = engine.start("import", { file: writer.file, name: "a" });
  writer.write(part("access\n"));
  await writer.end();
  await importing;
  await engine.start("run", {});
  await expect(engine.call("crash", {})).rejects.toMatchObject({
    code: "crashed",
  });
  expect(await engine.recovery()).toEqual({ outcome: "lost" });
});
