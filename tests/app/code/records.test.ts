import { expect, test } from "vitest";
import { recordsOf } from "../../../src/app/code/records";
import { programFile } from "../../../src/app/code/programFile";
import { start } from "../../engine/fakeClient";
import { runProgram } from "./runProgram";
import { readFileSync } from "node:fs";
import { wasmEngine } from "../../engine/wasm";

const CODE = readFileSync("sim-core/instrument/tests/programs/structures.wasm");

async function ran() {
  const { about, chunks } = await runProgram(CODE);
  const copies = () => chunks.map((chunk) => new Uint32Array(chunk.slice(0)));
  return { parts: { about, lines: [], fetches: false }, copies };
}

test("what_is_imported_during_the_run_is_the_trace_of_the_file", async () => {
  const engine = wasmEngine();
  const { parts, copies } = await ran();
  let importing: Promise<unknown> | undefined;
  let nEnds = 0;
  const records = recordsOf(parts, {
    begin: (file) =>
      (importing = engine.start("import", { file, name: "program" })),
    onEnd: () => (nEnds += 1),
  });
  for (const chunk of copies()) records.take(chunk);
  const chunks = await records.end();
  expect(chunks).toEqual(copies());
  expect(await records.end()).toBe(chunks);
  expect(nEnds).toBe(1);
  const streamed = await importing;
  const { hash } = await engine.start("save", {});
  const file = programFile({ ...parts, chunks });
  expect(await engine.start("import", { file, name: "program" })).toEqual(
    streamed,
  );
  expect((await engine.start("save", {})).hash).toBe(hash);
  engine.dispose();
});

test("records_that_a_lost_engine_had_are_not_waited_for", async () => {
  const { engine } = start();
  const { parts, copies } = await ran();
  const records = recordsOf(parts, {
    begin: (file) => engine.start("import", { file, name: "program" }),
    onEnd: () => undefined,
  });
  for (const chunk of copies()) records.take(chunk);
  engine.dispose();
  await expect(records.end()).rejects.toMatchObject({ code: "cancelled" });
});

test.each([
  ["without_an_import", false],
  ["during_an_import", true],
])("records_after_the_end_are_not_taken_%s", async (_, packs) => {
  const engine = wasmEngine();
  const { parts, copies } = await ran();
  const packing = {
    begin: (file: MessagePort) =>
      engine.start("import", { file, name: "program" }),
    onEnd: () => undefined,
  };
  const records = recordsOf(parts, packs ? packing : undefined);
  for (const chunk of copies()) records.take(chunk);
  const ending = records.end();
  const [late] = copies();
  if (!late) throw new Error("The program has no records.");
  records.take(late);
  expect(await ending).toEqual(copies());
  // It still has its bytes.
  expect(late).toEqual(copies()[0]);
  records.take(late);
  expect(await records.end()).toEqual(copies());
  engine.dispose();
});
