import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  bibtex,
  experimentCommand,
  runCommand,
} from "../../../src/model/permalink/cite";
import type { Simulated } from "../../../src/model/permalink/cite";
import type { Permalink } from "../../../src/model/permalink/permalink";

const setup = {
  machine: { name: "it's mine" },
  os: { default: "4K" },
} as Simulated;

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

const COMMANDS: readonly [Permalink, string][] = [
  [
    { trace: "chase", cpu: "intel-skylake" },
    `pagewalk run --cpu intel-skylake --os <(echo '{"default":"4K"}') --trace chase.pagewalk.gz --json`,
  ],
  [
    {
      workload: { id: "uniform", params: { bytes: "1G", seed: "3" } },
      cpu: "intel-skylake",
      machine: { l2: [] },
      cores: "tid",
      count: { skip: 5, warmup: 10, limit: 100 },
    },
    `pagewalk run --machine <(echo '{"name":"it'\\''s mine"}') --os <(echo '{"default":"4K"}') --cores tid --skip 5 --warmup 10 --limit 100 --workload uniform --param bytes=1G seed=3 --json`,
  ],
  [
    { file: "my trace.lackey", cpu: "amd-zen2" },
    `pagewalk run --cpu amd-zen2 --os <(echo '{"default":"4K"}') --trace 'my trace.lackey' --json`,
  ],
];

test.for(COMMANDS)("the command of %j", ([link, command]) => {
  expect(runCommand(link, setup)).toBe(command);
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
  expect(runCommand({ cpu: "amd-zen2" }, setup)).toBeUndefined();
});
