/** Runs a JavaScript program in the real worker script, in a context of its own, and simulates its accesses. */
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { arrayRecords, scriptHead } from "../../../src/app/code/scriptFile";
import { readMessage } from "../../../src/app/code/scriptMessages";
import type { EngineClient } from "../../../src/engine/client";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import { defaultConfiguration } from "../../../src/state/config/configurations";
import { SCRIPT_LIMITS } from "../../../src/model/code/code";
import { prepareScript } from "../../../src/model/code/script";

const WORKER = readFileSync("src/app/code/scriptHost.js", "utf8");

/** The file of the accesses of a program. */
export function fileOf(code: string): Blob {
  const prepared = prepareScript(code);
  const lines = [...new Set(prepared.sites.map(({ line }) => line))];
  const parts = [scriptHead(lines)];
  let file: Blob | undefined;
  const postMessage = (data: object) => {
    // As by `postMessage`: buffers are made anew on this side.
    const message = readMessage(structuredClone(data));
    if (message?.what === "chunk") parts.push(message.bytes);
    else if (message?.what === "array") parts.push(arrayRecords(message.array));
    else if (message?.what === "done") file = new Blob(parts);
    else throw new Error(JSON.stringify(message));
  };
  const world = createContext({});
  const run = runInContext(`${WORKER}\nglobalThis.onmessage`, world) as (
    message: unknown,
  ) => void;
  run({
    data: { program: prepared, limit: SCRIPT_LIMITS.accesses },
    ports: [{ postMessage }],
  });
  if (!file) throw new Error("The program did not end.");
  return file;
}

/** The run on the model that Pagewalk opens with. */
export async function reportOf(
  engine: EngineClient,
  code: string,
  pages = DEFAULT_OS.default,
): Promise<RunReport> {
  const cpus = await engine.call("cpus", {});
  const first = defaultConfiguration({ cpus });
  if (!first) throw new Error("There is no CPU.");
  await engine.start("import", { file: fileOf(code), name: "code" });
  const os = { ...DEFAULT_OS, default: pages };
  await engine.call("configure", { machine: first.setup.machine, os });
  return engine.start("run", {});
}
