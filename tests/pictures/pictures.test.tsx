/** The pictures in words, one file each: a change in what a picture says shows as a change in a file. */
import { test } from "vitest";
import { AccessBand } from "../../src/views/replay/AccessBand";
import { TlbPanel } from "../../src/views/tlb/TlbPanel";
import { WalkPanel } from "../../src/views/walk/WalkPanel";
import * as accesses from "./accesses";
import type { Scene } from "./accesses";
import { expectDrawing, expectPicture } from "./expectPicture";

const scenes: Readonly<Record<string, Scene>> = accesses;

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
  await expectPicture(
    <AccessBand machine={machine} step={step} />,
    `snapshots/access-${name}.txt`,
  );
});

test("access_band_of_the_second_page_of_a_straddling_access", async () => {
  const { machine, step } = accesses.straddle;
  await expectPicture(
    <AccessBand machine={machine} step={step} which={1} onWhich={ignore} />,
    "snapshots/access-straddle.txt",
  );
});

test("access_band_of_a_phone", async () => {
  const { machine, step } = accesses.pdeHit;
  await expectPicture(
    <AccessBand machine={machine} step={step} phone />,
    "snapshots/access-phone.txt",
  );
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
  await expectPicture(
    <WalkPanel machine={machine} step={step} onNextWalk={ignore} />,
    `snapshots/walk-${name}.txt`,
  );
});

test("the_drawing_of_a_walk", async () => {
  const { machine, step } = accesses.pdeHit;
  await expectDrawing(
    <WalkPanel machine={machine} step={step} />,
    ".walk-svg",
    "snapshots/walk-pdeHit.svg",
  );
});

test.each(["pdeHit", "l1Hit", "coldFault"])(
  "walk_on_a_phone_of_%s",
  async (name) => {
    const { machine, step } = sceneOf(name);
    await expectPicture(
      <WalkPanel machine={machine} step={step} phone />,
      `snapshots/walk-phone-${name}.txt`,
    );
  },
);

test.each(["pdeHit", "bigPage", "zenWalk", "blackboard"])(
  "tlb_of_%s",
  async (name) => {
    const { machine, step, columns } = sceneOf(name);
    await expectPicture(
      <TlbPanel machine={machine} step={step} columns={columns} />,
      `snapshots/tlb-${name}.txt`,
    );
  },
);

test.each([
  ["second_level", 5],
  ["walk_caches", 7],
])("tlb_with_the_tab_%s", async (name, structure) => {
  const { machine, step, columns } = accesses.pdpteHit;
  await expectPicture(
    <TlbPanel
      machine={machine}
      step={step}
      columns={columns}
      pinned={structure}
    />,
    `snapshots/tlb-tab-${name}.txt`,
  );
});
