import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const architecture = read("ARCHITECTURE.md");

const NOT_OURS = /(^|\/)(node_modules|dist|target|pkg|\.git)(\/|$)/;
const pages = [
  "",
  "docs/",
  "src/",
  "sim-core/",
  "tests/",
  "scripts/",
  "public/",
]
  .flatMap((folder) =>
    readdirSync(folder || ".", {
      recursive: folder !== "",
      encoding: "utf8",
    }).map((name) => folder + name.replaceAll("\\", "/")),
  )
  .filter((name) => name.endsWith(".md") && !NOT_OURS.test(name));

/** All that the first group of a pattern matches in a text. */
const all = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? "");

test("npm_scripts_that_the_pages_name_exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as {
    scripts: Record<string, string>;
  };
  const named = pages.flatMap((page) =>
    all(/\bnpm (?:run )?([a-z][\w:]*)/g, read(page)),
  );
  const builtIn = ["ci", "install", "packages", "package", "scripts"];
  const unknown = named.filter(
    (name) => !(name in scripts) && !builtIn.includes(name),
  );
  expect(named).toContain("start");
  expect(unknown).toEqual([]);
});

test("links_between_pages_and_files_lead_somewhere", () => {
  const dead = pages.flatMap((page) =>
    all(/\]\(([^)\s]+)\)/g, read(page))
      .filter((link) => !/^([a-z]+:|#)/.test(link))
      .map((link) => path.join(path.dirname(page), link.replace(/#.*/, "")))
      .filter((file) => !existsSync(file))
      .map((file) => `${page} → ${file}`),
  );
  expect(dead).toEqual([]);
});

test("paths_that_the_architecture_names_exist", () => {
  const named = all(/`([\w.@-]+\/[\w./@-]*)`/g, architecture);
  const missing = named.filter(
    (name) => !NOT_OURS.test(name) && !existsSync(name),
  );
  expect(named).toContain("sim-core/");
  expect(missing).toEqual([]);
});

test("every_module_of_the_core_is_in_the_code_map", () => {
  const modules = all(/^(?:pub )?mod (\w+);/gm, read("sim-core/src/lib.rs"));
  const codeMap = architecture.slice(architecture.indexOf("## Code map"));
  const absent = modules.filter((name) => !codeMap.includes(`\`${name}\``));
  expect(modules).toContain("trace");
  expect(absent).toEqual([]);
});

/** The cells of the rows of the tables in a text. */
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^\| [`O]/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

test("tests_that_show_an_oracle_or_an_experiment_are_there", () => {
  const rust = ["sim-core/src/", "sim-core/tests/"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".rs"))
      .map((name) => read(folder + name)),
  );
  const tests = new Set(
    all(/#\[test\]\s+(?:#\[[^\]]*\]\s+)*fn (\w+)/g, rust.join("\n")),
  );
  const rows = rowsOf(read("docs/oracles.md"));
  const unknown = rows.flatMap(([, , , shown = ""]) =>
    all(/`(\w+)`/g, shown).filter((name) => !tests.has(name)),
  );
  expect(unknown).toEqual([]);
  const silent = rows.filter(([, , , shown = ""]) => !shown.includes("`"));
  expect(silent.map(([, number]) => number)).toEqual(["O53", "O54", "O55"]);
  const numbers = rows.flatMap(([, number = ""]) => all(/^O(\d+)$/g, number));
  const expected = Array.from({ length: 56 }, (_, i) => i + 1);
  expect(numbers.map(Number)).toEqual(expected.filter((n) => n !== 38));
});

test("every_experiment_is_in_the_list_of_what_is_checked", () => {
  const ids = all(
    /^ {8}id: "([\w-]+)",/gm,
    read("sim-core/src/experiment/list.rs"),
  );
  const rows = rowsOf(read("docs/oracles.md"));
  const listed = rows.flatMap(([, id = ""]) => all(/^`([\w-]+)`$/g, id));
  expect(ids).toContain("byte-array");
  expect(listed).toEqual(ids);
});

/** The fields of a type that was written for TypeScript. */
const fieldsOf = (type: string) =>
  all(
    /(?:[{,]\s*|\*\/\s*)(\w+)\??: /g,
    read(`src/engine/generated/${type}.ts`).replace(/^import.*$/gm, ""),
  );

test.each([
  "MachineConfig",
  "ArrayConfig",
  "Paging",
  "PscConfig",
  "CacheShape",
  "VirtConfig",
  "NestedTlbConfig",
  "PwcConfig",
  "ControlConfig",
  "LatencyConfig",
  "MemoryConfig",
  "CacheConfig",
])("every_field_of_%s_is_explained", (type) => {
  const text = read("docs/machine.md");
  const fields = fieldsOf(type);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
