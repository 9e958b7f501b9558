/** Tests that no panel uses words of x86 on an Arm machine, with real walks and operations. */
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import type { RunReport } from "../../src/engine/generated/RunReport";
import { smallestPage, withDefaults } from "../../src/model/config/defaults";
import type { EngineClient } from "../../src/engine/client";
import type { Snapshot } from "../../src/engine/engine";
import { mappingText } from "../../src/model/config/mapping";
import { nestedGrid } from "../../src/model/walk/nested/grid";
import { cellSentence, explainCell } from "../../src/model/walk/nested/text";
import { sentence } from "../../src/model/replay/sentence";
import { tablesOf, wordsOf } from "../../src/model/words/words";
import { ConfigPanel } from "../../src/views/config/ConfigPanel";
import { MemoryForm } from "../../src/views/config/MemoryForm";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { EffectsBand } from "../../src/views/replay/EffectsBand";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { TotalsPanel } from "../../src/views/totals/TotalsPanel";
import { TraceBar } from "../../src/views/transport/TraceBar";
import { NestedPanels } from "../../src/views/walk/NestedPanels";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import { wasmEngine } from "./wasm";

/** A trace that unmaps, protects and invalidates a page, and that switches the process and the virtual machine. */
const TRACE = `kind,address,size,pid,operands
load,0x7f0000010000,8,1,
store,0x7f0000011000,8,1,
load,0x7f0000010000,8,2,
mov-cr3,,,1,
invlpg,0x7f0000010000,,1,
invpcid,,,1,type=2
load,0x7f0000010000,8,1,
mprotect,0x7f0000011000,4096,1,r--
store,0x7f0000011000,8,1,
wrpkru,,,1,0
load,0x7f0000011000,8,1,
munmap,0x7f0000010000,4096,1,
load,0x7f0000010000,8,1,
`;

/** The operations that only a host executes, for machines with a host. */
const HOST = `invept,,,1,type=1
invvpid,,,1,type=2
host-unmap,0x7f0000011000,,1,
load,0x7f0000011000,8,1,
host-set-entry,0x7f0000011000,,1,level=1 set=0x2 clear=0x5
load,0x7f0000011000,8,1,
`;

const X86 =
  /\b(CR[034]|EPTP?|PML\d?E?|PDPTE?|PDE?|PTE?|INVLPG|INVPCID|INVEPT|INVVPID|PCIDs?|VPIDs?|MOV|WRPKRU|gPA|[gn]L\d|STLB|Intel|guest-physical|nested TLB)\b|#PF|#GP|paging-structure/i;

/** Returns all texts of an element, for the eye and for screen readers. */
function textsOf(element: ReactElement): string[] {
  const html = renderToStaticMarkup(element);
  const actual =
    /(?:aria-label|aria-description|title|placeholder|alt)="([^"]*)"/g;
  return [
    ...[...html.matchAll(actual)].map(([, text = ""]) => text),
    ...html.replaceAll(/<[^>]*>/g, "\n").split("\n"),
  ].filter((text) => text.trim() !== "");
}

function check(what: string, texts: readonly string[]) {
  expect(texts.length, what).toBeGreaterThan(0);
  expect(
    texts.filter((text) => X86.test(text)),
    what,
  ).toEqual([]);
}

const ignore = () => undefined;
const accept = () => Promise.resolve([]);

interface Shown {
  readonly machine: MachineView;
  readonly model: CpuModel;
  readonly os: OsConfig;
  readonly report: RunReport;
  readonly snapshots: readonly Snapshot[];
}

function panels({ machine, model, os, report, snapshots }: Shown) {
  const shared = { model, machine: model.machine, os };
  const editor = (tab: "machine" | "mapping") => (
    <ConfigPanel
      {...shared}
      tab={tab}
      edited={false}
      revision={0}
      jsonDraft={null}
      sizes={machine.page_sizes}
      touched={[]}
      canUndo={false}
      canRedo={false}
      onJsonDraft={ignore}
      onTab={ignore}
      onMachine={accept}
      onOs={accept}
      onReset={ignore}
      onUndo={ignore}
      onRedo={ignore}
      onClose={ignore}
    />
  );
  check("machine", textsOf(editor("machine")));
  check("mapping", textsOf(editor("mapping")));
  check(
    "memory",
    textsOf(
      <MemoryForm
        os={os}
        tables={machine.tables}
        memory={model.machine.memory}
        modelCaches={[]}
        levels={null}
        hostLevels={4}
        sizes={machine.page_sizes}
        onOs={ignore}
        onMachine={ignore}
        onHostLevels={ignore}
      />,
    ),
  );
  check("mapping in words", [mappingText(os, wordsOf(machine))]);
  check(
    "totals",
    textsOf(
      <TotalsPanel
        report={report}
        machine={machine}
        name="run"
        stale={false}
        compact={false}
        onCite={ignore}
        onClose={ignore}
      />,
    ),
  );
  for (const { step, columns } of snapshots) {
    const at = `access ${step.index}`;
    const band = { machine, step };
    check(at, textsOf(<AccessBand {...band} />));
    check(at, [sentence({ step }, machine)]);
    const effects = textsOf(<EffectsBand {...band} cores="one" />);
    // Most accesses have nothing around them.
    if (effects.length > 0) check(at, effects);
    // The TLB panel also names the entries that were invalidated. Other accesses have no such text.
    for (const pinned of step.before.length > 0
      ? machine.structures.keys()
      : [])
      check(
        `${at}, structure ${pinned}`,
        textsOf(<TlbPanel {...band} columns={columns} pinned={pinned} />),
      );
    const [translation] = step.translations;
    if (!translation?.nested) {
      check(at, textsOf(<WalkPanel {...band} />));
      continue;
    }
    for (const phone of [false, true])
      check(
        at,
        textsOf(
          <NestedPanels
            {...band}
            columns={columns}
            phone={phone}
            side="walk"
            onSide={ignore}
            tlb={null}
          />,
        ),
      );
    const { nested } = translation;
    const grid = nestedGrid(nested, translation, machine);
    for (const cell of grid.cells) {
      check(at, [cellSentence(cell)]);
      const lines = explainCell(cell, grid, nested, translation);
      check(
        at,
        lines.map(({ text }) => text),
      );
      check(
        at,
        cell.view.fields.flatMap(({ name, meaning }) => [name, meaning]),
      );
    }
  }
}

let engine: EngineClient;
afterEach(() => engine.dispose());

const PLAIN: OsConfig = { default: "4K", regions: [], frames: "sequential" };

test.each([
  ["arm-neoverse-n1", "native", "combined"],
  ["arm-neoverse-n1", "ept", "combined"],
  ["arm-neoverse-n1", "ept", "pwc-2d"],
  ["arm-cortex-a55", "ept", "combined"],
  ["arm-neoverse-n1", "shadow", "combined"],
] as const)("%s_%s_%s_speaks_arms_words", async (id, virt, style) => {
  engine = wasmEngine();
  await engine.call("prefetch", {});
  const cpus = await engine.call("cpus", {});
  const found = cpus.find((cpu) => cpu.id === id);
  if (!found) throw new Error(`no ${id}`);
  const cache = { entries: 4 };
  const model: CpuModel = {
    ...found,
    machine: {
      ...found.machine,
      psc: { pde: cache, pdpte: cache, pml4e: cache },
      virt: {
        style,
        nested_tlb: cache,
        ...(style === "combined"
          ? { ept_psc: { pde: cache, pdpte: cache, pml4e: cache } }
          : { pwc: cache }),
      },
    },
  };
  const os: OsConfig = virt === "native" ? PLAIN : { ...PLAIN, virt };
  const text = virt === "ept" ? TRACE + HOST : TRACE;
  const trace = await engine.start("import", {
    file: new Blob([text]),
    name: "scenario.csv",
  });
  const machine = await engine.call("configure", {
    machine: model.machine,
    os,
  });
  expect(machine.tables).toBe("arm");
  const report = await engine.start("run", {});
  const snapshots: Snapshot[] = [];
  for (let at = 0; at < trace.n_accesses; at++)
    snapshots.push(await engine.call("seek", { index: at }));
  expect(
    snapshots.some(({ step }) => step.exception !== null),
    "something ends in a fault",
  ).toBe(true);
  panels({ machine, model, os, report, snapshots });
  check(
    "totals above",
    textsOf(
      <TraceBar trace={trace} machine={machine} report={report} showsAll />,
    ),
  );
});

test("whose_tables_they_are_is_told_from_a_configuration_as_the_core_tells_it", async () => {
  engine = wasmEngine();
  const actual: [string, string][] = [];
  const known: [string, string][] = [];
  for (const { id, machine } of await engine.call("cpus", {})) {
    actual.push([id, tablesOf(machine)]);
    const os = { ...PLAIN, default: smallestPage(withDefaults(machine)) };
    const view = await engine.call("configure", { machine, os });
    known.push([id, view.tables]);
  }
  expect(actual).toEqual(known);
});
