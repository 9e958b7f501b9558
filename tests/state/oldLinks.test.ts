/** Links that earlier versions have written. A link that was sent stays readable: lines are added here, never changed. */
import { expect, test } from "vitest";
import { createApp, settle } from "./app";

const FIRST = "chase";

/** The state that each opens, and how its notices begin. */
const LINKS: readonly [hash: string, state: object, notices?: string[]][] = [
  ["", { screen: "replay", builtIn: FIRST }],
  // 0.1.0: the replay.
  [
    "trace=matmul24&cpu=intel-skylake-sp&pages=4K&access=123",
    { builtIn: "matmul24", cursor: 123 },
  ],
  [
    "trace=chase&cpu=amd-zen2&pages=2M&access=7&window=0-90",
    {
      configuration: { cpu: "amd-zen2", setup: { os: { default: "2M" } } },
      window: { from: 0, to: 90 },
    },
  ],
  [
    "trace=chase&cpu=intel-skylake-sp&machine=%7B%22l1%22:%5B%5D%7D&pages=4K",
    { configuration: { setup: { machine: { l1: [] } } } },
  ],
  [
    "pages=4K&virt=ept&host=2M",
    { configuration: { setup: { os: { virt: "ept" } } } },
  ],
  [
    "pages=2M&virt=shadow",
    { configuration: { setup: { os: { virt: "shadow" } } } },
  ],
  [
    "os=%7B%22default%22:%222M%22,%22regions%22:%5B%5D,%22frames%22:%22sequential%22%7D",
    { configuration: { setup: { os: { default: "2M" } } } },
  ],
  [
    "trace=chase&only=address,0x1000,0x3000,a,%20b&structure=0",
    { only: { filter: { label: "a, b" } }, pinned: { structure: 0 } },
  ],
  ["trace=chase&cores=cpu&access=7", { cursor: 7 }],
  [
    "trace=chase&count=100,50&access=120",
    { configuration: { setup: { window: { skip: 100, warmup: 50 } } } },
  ],
  [
    "workload=uniform,bytes=1G,base=0x1000&access=9",
    { workload: { id: "uniform" }, cursor: 9 },
  ],
  ["workload=uniform", { trace: { name: "uniform" } }],
  [
    "file=my%20trace%26co.log&access=5",
    { builtIn: FIRST },
    ["“my trace&co.log” cannot be opened"],
  ],
  [
    "file=a.csv&hash=0123&window=10-90",
    { builtIn: FIRST },
    ["“a.csv” cannot be opened: it is not kept"],
  ],
  ["trace=ls", { builtIn: FIRST }, ["There is no example trace “ls”"]],
  // 0.1.0: the other screens.
  ["screen=experiments", { screen: "experiments" }],
  [
    "screen=experiments&experiment=byte-array",
    { screen: "experiments", experiment: "byte-array" },
  ],
  ["screen=what-if", { screen: "what-if" }],
  ["screen=what-if&trace=matmul24&access=3", { builtIn: "matmul24" }],
  ["screen=compare&compare=saved", { compare: { part: "saved" } }],
  [
    "screen=compare&trace=chase&right=cpu%3Damd-zen2%26pages%3D2M&access=4",
    { compare: { right: { cpu: "amd-zen2" } } },
  ],
  [
    "screen=compare&compare=models&view=models.sort:walks,descending",
    { choices: { compare: { "models.sort": "walks,descending" } } },
  ],
  [
    "screen=samples&samples=user,2",
    { surveyChoice: { who: "user", event: 2 } },
  ],
  [
    "screen=measured&stat=1,cycles!&stat-name=mine&family=intel-nehalem",
    { screen: "measured", measured: { name: "mine", text: "1,cycles" } },
  ],
  [
    "screen=loop&loop=mine&code=load(8)!&cpu=amd-zen2&pages=4K",
    {
      screen: "code",
      codeScreen: { programs: [{ name: "mine", code: "load(8)" }] },
    },
  ],
];

test.each(LINKS)("%s_still_opens", async (hash, expected, notices = []) => {
  const { actions, state } = createApp();
  await actions.open(`#${hash}`);
  await settle();
  expect(state()).toMatchObject({ task: undefined, ...expected });
  expect(state().notices.map(({ text }) => text)).toEqual(
    notices.map((beginning) => expect.stringContaining(beginning) as string),
  );
});
