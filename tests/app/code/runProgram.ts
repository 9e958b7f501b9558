/** Runs a program in the real worker script, in a context of its own. */
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import type { ProgramAbout } from "../../../src/model/code/about";
import type { TrapPlace } from "../../../src/app/code/compilerMessages";
import { wordsOf } from "../../../src/model/code/records";
import init, { Program } from "../../../src/engine/pkg/instrument/pagewalk";

const HOST = readFileSync("src/app/code/host.js", "utf8");
const MODULE = "src/engine/pkg/instrument/pagewalk_bg.wasm";

export interface Ran {
  readonly about: ProgramAbout;
  readonly chunks: readonly ArrayBuffer[];
  readonly output: string;
  /** The last message. */
  readonly end: {
    readonly done?: { readonly status: number };
    readonly stopped?: string;
    readonly failed?: {
      readonly message: string;
      readonly at: readonly number[];
      readonly last: ArrayBuffer;
      readonly size: number;
    };
  };
  /** Where a program stopped. */
  readonly place?: TrapPlace;
}

interface Message {
  readonly chunk?: ArrayBuffer;
  readonly n?: number;
  readonly output?: string;
}

export async function runProgram(
  bytes: Uint8Array,
  { args = ["program"], words = 1e7, seconds = 60 } = {},
): Promise<Ran> {
  await init({ module_or_path: readFileSync(MODULE) });
  const program = new Program(bytes);
  const about = JSON.parse(program.about) as ProgramAbout;
  const chunks: ArrayBuffer[] = [];
  let output = "";
  let end: Ran["end"] = {};
  const postMessage = (data: Message) => {
    if (data.chunk) chunks.push(data.chunk.slice(0, data.n));
    else if (data.output !== undefined) output += data.output;
    else end = structuredClone(data) as Ran["end"];
  };
  const world = createContext({ performance, TextDecoder, TextEncoder });
  const run = runInContext(`${HOST}\nglobalThis.onmessage`, world) as (
    message: unknown,
  ) => Promise<void>;
  await run({
    data: {
      program: { bytes: program.module, args },
      limits: { words, seconds },
    },
    ports: [{ postMessage }],
  });
  const place =
    end.failed &&
    (JSON.parse(program.place(Uint32Array.from(end.failed.at))) as TrapPlace);
  return { about, chunks, output, end, ...(place && { place }) };
}

/** How often each kind of site ran on each line. */
export function countLines({ about, chunks }: Ran): Map<string, number> {
  const { sites, blocks, places } = about;
  const counts = new Map<string, number>();
  for (const chunk of chunks) {
    const all = new Uint32Array(chunk);
    for (let at = 0; at < all.length;) {
      const block = all[at++] ?? 0;
      for (
        let site = blocks[block] ?? 0;
        site < (blocks[block + 1] ?? 0);
        site++
      ) {
        const kind = sites[site]?.[0] ?? "";
        at += wordsOf(kind);
        const key = `${places[site]?.[1] ?? 0} ${kind}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}
