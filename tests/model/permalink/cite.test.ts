import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  bibtex,
  experimentCommand,
  fileToBring,
  runCommand,
} from "../../../src/model/permalink/cite";
import { DEFAULT_OS } from "../../../src/engine/generated/defaults";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import type { TraceLink } from "../../../src/model/compare/savedRun";
import type { SideSetup } from "../../../src/model/compare/sides";
import type { Carried } from "../../../src/model/permalink/permalink";

test("the_entry_has_the_version_and_the_authors_of_the_citation_file", () => {
  expect(bibtex("https://host/#cpu=amd-zen2", "2026-12-01")).toBe(
    [
      "@software{pagewalk,",
      "  author  = {{The Pagewalk authors}},",
      "  title   = {Pagewalk: a simulator of TLBs and page walks},",
      "  version = {0.1.0},",
      "  year    = {2026},",
      "  url     = {https://host/#cpu=amd-zen2},",
      "  urldate = {2026-12-01}",
      "}",
    ].join("\n"),
  );
});

test("every_file_that_names_the_version_of_the_program_agrees", () => {
  const read = (file: string) => readFileSync(file, "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("CITATION.cff")).toContain(`\nversion: ${version}\n`);
  expect(read("CHANGELOG.md")).toContain(`\n## ${version}\n`);
  expect(read("sim-core/Cargo.toml")).toContain(
    `[workspace.package]\nversion = "${version}"\n`,
  );
});

const SITE = "https://host/pagewalk/";

const model = {
  id: "amd-zen2",
  name: "Zen 2",
  machine: { name: "Zen 2" },
  provenance: [],
  variants: [],
} as unknown as CpuModel;

const plain: SideSetup = {
  cpu: "amd-zen2",
  setup: { machine: model.machine, os: DEFAULT_OS },
};

function mapped(os: Partial<OsConfig>): SideSetup {
  return { ...plain, setup: { ...plain.setup, os: { ...DEFAULT_OS, ...os } } };
}

const chase = { trace: "chase" };
const fetched = `curl -L -o chase.pagewalk.gz https://host/pagewalk/traces/chase.pagewalk.gz\n`;

const COMMANDS: readonly [string, TraceLink & Carried, SideSetup, string][] = [
  [
    "the usual mapping",
    chase,
    plain,
    `${fetched}pagewalk run --cpu amd-zen2 --trace chase.pagewalk.gz --json`,
  ],
  [
    "one page size, nested",
    chase,
    mapped({
      default: "2M",
      virt: "ept",
      host: { ...DEFAULT_OS, default: "thp" },
    }),
    `${fetched}pagewalk run --cpu amd-zen2 --pages 2M --virt ept --host-pages thp --trace chase.pagewalk.gz --json`,
  ],
  [
    "a mapping with more",
    { file: "my trace.lackey" },
    mapped({ frames: "shuffled" }),
    `printf '%s\\n' '{"default":"4K","regions":[],"frames":"shuffled"}' > mapping.json
pagewalk run --cpu amd-zen2 --os mapping.json --trace 'my trace.lackey' --json`,
  ],
  [
    "a machine of one's own",
    { workload: { id: "uniform", params: { bytes: "1G", seed: "3" } } },
    {
      cpu: "amd-zen2",
      setup: {
        machine: { name: "it's mine" } as SideSetup["setup"]["machine"],
        os: DEFAULT_OS,
        cores: "tid",
        window: { skip: 5, warmup: 10, limit: 100 },
      },
    },
    `printf '%s\\n' '{"name":"it'\\''s mine"}' > machine.json
pagewalk run --machine machine.json --cores tid --skip 5 --warmup 10 --limit 100 --workload uniform --param bytes=1G seed=3 --json`,
  ],
  [
    "a trace at an address",
    { file: "x.gz", address: "https://there/a b/x.gz?now" },
    plain,
    `curl -L -o x.gz 'https://there/a%20b/x.gz?now'
pagewalk run --cpu amd-zen2 --trace x.gz --json`,
  ],
  [
    "a trace that has no file yet",
    { file: "columns" },
    plain,
    `pagewalk run --cpu amd-zen2 --trace columns.csv --json`,
  ],
];

test.for(COMMANDS)("the command of %s", ([, link, side, command]) => {
  expect(runCommand(link, [model], side, SITE)).toBe(command);
});

test("the_files_of_two_machines_have_two_names", () => {
  const side = mapped({ frames: "shuffled" });
  const commands = ["", "-right"].map((suffix) =>
    runCommand(chase, [model], side, SITE, suffix),
  );
  expect(commands[0]).toContain(" > mapping.json\n");
  expect(commands[0]).toContain("--os mapping.json");
  expect(commands[1]).toContain(" > mapping-right.json\n");
  expect(commands[1]).toContain("--os mapping-right.json");
});

test("only_a_file_of_the_user_has_to_be_brought", () => {
  const files = COMMANDS.map(([, link]) => fileToBring(link));
  expect(files.filter((file) => file !== undefined)).toEqual([
    "my trace.lackey",
    "columns.csv",
  ]);
});

test("an_experiment_has_a_command_of_its_own", () => {
  const ids = [undefined, "matrix", "how-we-know"];
  expect(ids.map((id) => experimentCommand(id))).toEqual([
    "pagewalk experiment --all --json",
    "pagewalk experiment matrix --json",
    "pagewalk verify --json",
  ]);
});

test("without_a_trace_there_is_no_command", () => {
  expect(runCommand({}, [model], plain, SITE)).toBeUndefined();
});
