/** What the first screen shows and says, on the trace that the site opens with. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DEFAULT_OS } from "../../src/engine/generated/defaults";
import { textOf } from "../../src/model/replay/parts";
import {
  accessText,
  momentOf,
  nextMoment,
  watchedSteps,
} from "../../src/model/welcome/words";
import type { Moment } from "../../src/model/welcome/words";
import { DEFAULT_CPU } from "../../src/state/config/configurations";
import { builtInTrace } from "../../src/state/import/traces";
import { WATCHED } from "../../src/state/start/welcome";
import { sayWelcome as say } from "../texts/catalogues";
import { wasmEngine } from "./wasm";

const said = (moment: Moment | undefined) =>
  moment && [moment.title, textOf(moment.text)];

test("the_walk_reads_every_level_and_the_next_access_hits", async () => {
  const engine = wasmEngine();
  const cpus = await engine.call("cpus", {});
  const machine = cpus.find((cpu) => cpu.id === DEFAULT_CPU)?.machine;
  if (!machine) throw new Error("no default CPU");
  const trace = builtInTrace(WATCHED.trace);
  if (!trace?.given) throw new Error("no example of the first screen");
  const { file: name, given } = trace;
  const bytes = await readFile(
    new URL(`../../public/traces/${name}`, import.meta.url),
  );
  const file = new Blob([Uint8Array.from(bytes)]);
  await engine.call("open", { file, name });
  const view = await engine.call("configure", {
    machine,
    os: { ...DEFAULT_OS, given },
  });
  const { step } = await engine.call("seek", { index: WATCHED.access });
  const n = watchedSteps(step, view).length;
  expect(accessText(step, say)).toBe(
    "Access 0: load of 8 bytes at 0x7f3a1c2b5e48.",
  );
  const moments = Array.from({ length: n + 1 }, (_, at) =>
    said(momentOf(step, view, at - 1, say)),
  );
  expect(moments).toEqual([
    [
      "The address is virtual",
      "A program sees virtual addresses. To find 0x7f3a1c2b5e48 in memory, the processor first asks its TLBs, which keep recent translations of pages of 4K. They have none for this page, so it has to walk the page table.",
    ],
    [
      "PML4 entry 254",
      "A register of the processor holds the address of the first table, the PML4. Bits 47 to 39 of the address are 254: the walk reads entry 254 of the PML4. The entry leads to the next table, the PDPT. The read took 200 cycles, from DRAM.",
    ],
    [
      "PDPT entry 232",
      "Bits 38 to 30 of the address are 232: the walk reads entry 232 of the PDPT. The entry leads to the next table, the PD. The read took 200 cycles, from DRAM.",
    ],
    [
      "PD entry 225",
      "Bits 29 to 21 of the address are 225: the walk reads entry 225 of the PD. The entry leads to the next table, the PT. The read took 200 cycles, from DRAM.",
    ],
    [
      "PT entry 181",
      "Bits 20 to 12 of the address are 181: the walk reads entry 181 of the PT. The entry leads to the 4K page. The read took 200 cycles, from DRAM.",
    ],
    [
      "Found: 817 cycles",
      "The page is in frame 0x1388b. With the last 12 bits, the offset, its physical address is 0x1388be48. The translation took 817 cycles: 9 for the miss in the STLB, 8 to start the walk, 800 to read 4 entries. The L1 dTLB 4K keeps the translation for the next access to this page.",
    ],
  ]);
  const next = await engine.call("seek", { index: WATCHED.access + 1 });
  expect(accessText(next.step, say)).toBe(
    "Access 1: load of 8 bytes at 0x7f3a1c2b5e50.",
  );
  expect(said(nextMoment(next.step, view, 817, say))).toEqual([
    "A hit: 0 cycles",
    "This access is to the same page. The L1 dTLB 4K holds its translation, so there is no walk: a hit. 817 cycles became 0 cycles: the first TLB is looked up while the data cache is read, so its hits are free. How often that works is what Pagewalk counts, for your program and for the processor that you choose.",
  ]);
  engine.dispose();
}, 60_000);
