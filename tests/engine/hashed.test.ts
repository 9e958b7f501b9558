import { afterAll, expect, test } from "vitest";
import { DEFAULT_ECPT } from "../../src/engine/generated/researchDefaults";
import {
  DEFAULT_MACHINE,
  DEFAULT_OS,
} from "../../src/engine/generated/defaults";
import { wasmEngine } from "./wasm";

const engine = wasmEngine();
afterAll(() => engine.dispose());

test.each([
  ["hashed", { psc: {}, ecpt: DEFAULT_ECPT }, [true]],
  ["radix", {}, [undefined, undefined, undefined, undefined]],
] as const)("an_entry_says_that_its_table_is %s", async (_, part, expected) => {
  const machine = { ...DEFAULT_MACHINE, ...part };
  await engine.start("import", { file: new Blob(["0x10\n"]), name: "a.csv" });
  await engine.call("configure", { machine, os: DEFAULT_OS });
  await engine.start("run", {});
  const { step } = await engine.call("seek", { index: 0 });
  const [translation] = step.translations;
  expect(translation?.levels.map(({ hashed }) => hashed)).toEqual(expected);
});
