/**
 * The pictures as markup, one file each: a change in what is drawn shows as a change in a file.
 * Rendering is static, so sizes are those that stand before an element is measured.
 */
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import * as accesses from "./accesses";
import type { Scene } from "./accesses";

const scenes: Readonly<Record<string, Scene>> = accesses;

/** One element on a line, so that a difference can be read. */
function markup(element: ReactElement): string {
  return `${renderToStaticMarkup(element).replaceAll("><", ">\n<")}\n`;
}

function sceneOf(name: string): Scene {
  const scene = scenes[name];
  if (!scene) throw new Error(`no scene ${name}`);
  return scene;
}

const ignore = () => undefined;

test.each([
  "pdeHit",
  "coldFault",
  "l1Hit",
  "l2Hit",
  "bigPage",
  "fiveLevel",
  "zenWalk",
  "blackboard",
])("access_band_of_%s", async (name) => {
  const { machine, step } = sceneOf(name);
  await expect(
    markup(<AccessBand machine={machine} step={step} />),
  ).toMatchFileSnapshot(`snapshots/access-${name}.txt`);
});

test("access_band_of_the_second_page_of_a_straddling_access", async () => {
  const { machine, step } = accesses.straddle;
  await expect(
    markup(
      <AccessBand
        machine={machine}
        step={step}
        which={1}
        onWhich={ignore}
        onStructure={ignore}
      />,
    ),
  ).toMatchFileSnapshot("snapshots/access-straddle.txt");
});

test("access_band_of_a_phone", async () => {
  const { machine, step } = accesses.pdeHit;
  await expect(
    markup(<AccessBand machine={machine} step={step} phone />),
  ).toMatchFileSnapshot("snapshots/access-phone.txt");
});

test.each([
  "pdeHit",
  "pdpteHit",
  "pml4eHit",
  "coldFault",
  "l1Hit",
  "hugePage",
  "fiveLevel",
  "blackboard",
])("walk_of_%s", async (name) => {
  const { machine, step } = sceneOf(name);
  await expect(
    markup(<WalkPanel machine={machine} step={step} onNextWalk={ignore} />),
  ).toMatchFileSnapshot(`snapshots/walk-${name}.txt`);
});

test.each(["pdeHit", "l1Hit", "coldFault"])(
  "walk_on_a_phone_of_%s",
  async (name) => {
    const { machine, step } = sceneOf(name);
    await expect(
      markup(<WalkPanel machine={machine} step={step} phone />),
    ).toMatchFileSnapshot(`snapshots/walk-phone-${name}.txt`);
  },
);

test.each(["pdeHit", "bigPage", "zenWalk", "blackboard"])(
  "tlb_of_%s",
  async (name) => {
    const { machine, step, columns } = sceneOf(name);
    await expect(
      markup(<TlbPanel machine={machine} step={step} columns={columns} />),
    ).toMatchFileSnapshot(`snapshots/tlb-${name}.txt`);
  },
);

test.each([
  ["second_level", 5],
  ["walk_caches", 7],
])("tlb_with_the_tab_%s", async (name, structure) => {
  const { machine, step, columns } = accesses.pdpteHit;
  await expect(
    markup(
      <TlbPanel
        machine={machine}
        step={step}
        columns={columns}
        pinned={structure}
      />,
    ),
  ).toMatchFileSnapshot(`snapshots/tlb-tab-${name}.txt`);
});
