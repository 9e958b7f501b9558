/** Compiles an example with the real compiler, runs it in the real worker script, and simulates its accesses. */
import { runLLVM } from "@yowasp/clang";
import { compile } from "../../../src/app/code/compile";
import { programFile } from "../../../src/app/code/programFile";
import type { EngineClient } from "../../../src/engine/client";
import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import type { AttributionView } from "../../../src/engine/generated/AttributionView";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { linesOf } from "../../../src/model/code/lineCounts";
import type { LineTable } from "../../../src/model/code/lines";
import type { CodeExample } from "../../../src/model/code/scriptExamples";
import { defaultConfiguration } from "../../../src/state/config/configurations";
import { runProgram } from "./runProgram";

export interface ExampleRun {
  readonly output: string;
  readonly report: RunReport;
  readonly table: LineTable;
  readonly attribution: AttributionView;
}

/** The run on the model that Pagewalk opens with. */
export async function runExample(
  engine: EngineClient,
  { code, build }: Pick<CodeExample, "code" | "build">,
): Promise<ExampleRun> {
  if (!build) throw new Error("This is JavaScript.");
  const { language, level } = build;
  const made = await compile(runLLVM, { text: code, language, level });
  if (!("wasm" in made)) throw new Error(made.message);
  const { about, chunks, end, output } = await runProgram(made.wasm);
  if (end.done?.status !== 0)
    throw new Error(`It did not end well: ${JSON.stringify(end)}`);
  const [cpu] = [defaultConfiguration({ cpus: await engine.call("cpus", {}) })];
  if (!cpu) throw new Error("There is no CPU.");
  const file = programFile({
    about,
    lines: code.split("\n"),
    chunks: chunks.map((chunk) => new Uint32Array(chunk)),
    fetches: false,
  });
  await engine.start("import", { file, name: "program" });
  const { machine } = cpu.setup;
  await engine.call("configure", { machine, os: DEFAULT_OS });
  const report = await engine.start("run", {});
  const attribution = await engine.start("attribution", {});
  const table = linesOf({ attribution, about });
  return { output, report, table, attribution };
}
