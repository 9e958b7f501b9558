import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readShipped } from "../src/model/experiments/shipped.ts";
import type { ShippedFile } from "../src/model/experiments/shipped.ts";
import { publishedText } from "../src/model/experiments/state.ts";
import {
  MOST_WORDS,
  longSentences,
  replacedWords,
  sentencesOf,
  sentencesWith,
} from "./prose.ts";

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

/** Returns all matches of the first group of a pattern in a text. */
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

/** A page without its code, in which brackets are no links. */
const withoutCode = (text: string) =>
  text.replace(/^```[^]*?^```$/gm, "").replace(/`[^`\n]*`/g, "code");

test("links_between_pages_and_files_lead_somewhere", () => {
  const dead = pages.flatMap((page) =>
    all(/\]\(([^)\s]+)\)/g, withoutCode(read(page)))
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

test("the_architecture_names_every_folder_of_the_core_in_its_order", () => {
  const folders = all(/^(?:pub )?mod (\w+);/gm, read("sim-core/src/lib.rs"));
  const named = all(/^- `sim-core\/src\/(\w+)\/`/gm, architecture);
  expect(folders.length).toBeGreaterThan(0);
  expect(named).toEqual(folders);
});

test("the_architecture_names_every_crate", () => {
  const members = all(
    /"([\w-]+)"/g,
    /^members = \[([^\]]*)\]/m.exec(read("sim-core/Cargo.toml"))?.[1] ?? "",
  );
  expect(members).toContain("wasm");
  const absent = members.filter(
    (name) => !architecture.includes(`\`sim-core/${name}/\``),
  );
  expect(absent).toEqual([]);
});

/** The pages that a stranger reads first. */
const prose = pages.filter((page) =>
  /^(README|ARCHITECTURE|docs\/.*)\.md$/.test(page),
);
const replaced = replacedWords(read("docs/glossary.md"));

test.each(prose)("sentences_of_%s_are_short", (page) => {
  expect(longSentences(read(page))).toEqual([]);
});

test.each(prose)("%s_has_no_word_that_the_glossary_replaces", (page) => {
  expect(replaced).toContain("beside");
  expect(sentencesWith(replaced, read(page))).toEqual([]);
});

test("the_readme_says_how_many_published_numbers_agree", () => {
  const file = JSON.parse(
    read("src/app/experiments/results.json"),
  ) as ShippedFile;
  const text = publishedText(Object.values(readShipped(file)), "numbers");
  expect(read("README.md")).toContain(`Published numbers: ${text}.`);
});

test("the_readme_has_at_most_100_lines", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThan(101);
});

const most = Array.from({ length: MOST_WORDS }, () => "word").join(" ");

test.each<[fact: string, markdown: string, sentences: string[]]>([
  ["lines_of_a_paragraph_are_one_text", "A\nb. C.", ["A b.", "C."]],
  ["a_list_item_is_a_text", "- A\n  b\n- C", ["A b", "C"]],
  ["a_cell_is_a_text", "| A | B. C |\n|---|---|", ["A", "B.", "C"]],
  ["a_heading_is_a_text", "# A\nB", ["A", "B"]],
  ["inline_code_is_one_word", "A `b. c d`.", ["A code."]],
  ["a_code_block_is_no_text", "A\n```\nb\n```", ["A"]],
  ["a_link_is_its_words", "A [b](c.md).", ["A b."]],
  ["a_number_is_one_sentence", "A 7.3 b.", ["A 7.3 b."]],
])("%s", (_fact, markdown, sentences) => {
  expect(sentencesOf(markdown)).toEqual(sentences);
});

test("a_word_too_many_makes_a_sentence_long", () => {
  expect(longSentences(most)).toEqual([]);
  expect(longSentences(`${most} more`)).toHaveLength(1);
});

test("a_replaced_word_is_found_as_a_whole_word_outside_code", () => {
  const words = replacedWords("| a | b | `mend`, `so many` |");
  expect(words).toEqual(["mend", "so many"]);
  const found = (text: string) => sentencesWith(words, text).length > 0;
  expect(found("Mend it.")).toBe(true);
  expect(found("It has so\nmany.")).toBe(true);
  expect(found("Amendments.")).toBe(false);
  expect(found("Run `mend`.")).toBe(false);
});

/** The cells of the rows of the tables in a text. */
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^\| [`O]/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

test("tests_that_show_an_oracle_or_an_experiment_are_there", () => {
  const rust = readdirSync("sim-core", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".rs") && !NOT_OURS.test(name))
    .map((name) => read(`sim-core/${name}`));
  const code = rust.join("\n");
  const tests = new Set([
    ...all(/#\[test\]\s+(?:#\[[^\]]*\]\s+)*fn (\w+)/g, code),
    ...all(/^one_test_per_row!\((\w+),/gm, code),
  ]);
  const rows = rowsOf(read("docs/oracles.md"));
  const unknown = rows.flatMap(([, , , shown = ""]) =>
    all(/`(\w+)`/g, shown).filter((name) => !tests.has(name)),
  );
  expect(unknown).toEqual([]);
  const silent = rows.filter(([, , , shown = ""]) => !shown.includes("`"));
  expect(silent.map(([, number]) => number)).toEqual(["O53", "O54", "O55"]);
  const numbers = rows.flatMap(([, number = ""]) => all(/^O(\d+)$/g, number));
  const expected = Array.from({ length: 64 }, (_, i) => i + 1);
  expect(numbers.map(Number)).toEqual(expected.filter((n) => n !== 38));
});

test("every_oracle_can_be_run_and_is_in_the_list_of_what_is_checked", () => {
  const folder = "sim-core/experiments/data/oracles/";
  const numbers = readdirSync(folder).flatMap((file) =>
    (JSON.parse(read(folder + file)) as { number: number }[]).map(
      ({ number }) => number,
    ),
  );
  const rows = rowsOf(read("docs/oracles.md"));
  const listed = rows.filter(([, , , shown = ""]) => shown.includes("`"));
  const expected = listed.flatMap(([, n = ""]) => all(/^O(\d+)$/g, n));
  expect(numbers.sort((a, b) => a - b)).toEqual(expected.map(Number));
});

test("every_experiment_is_in_the_list_of_what_is_checked", () => {
  const folder = "sim-core/experiments/data/";
  const orderOf = (file: string) =>
    (JSON.parse(read(folder + file)) as { order: number }).order;
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort((a, b) => orderOf(a) - orderOf(b))
    .map((file) => file.replace(/\.json$/, ""));
  const rows = rowsOf(read("docs/oracles.md"));
  const listed = rows.flatMap(([, id = ""]) => all(/^`([\w-]+)`$/g, id));
  expect(ids).toContain("byte-array");
  expect(listed).toEqual(ids);
});

test("the_limits_count_what_the_models_assume", () => {
  type Mark = { readonly path: string; readonly confidence: string };
  const models = readdirSync("sim-core/cpus").map(
    (file) =>
      JSON.parse(read(`sim-core/cpus/${file}`)) as { provenance: Mark[] },
  );
  const marks = models.flatMap(({ provenance }) => provenance);
  const overheads = marks.filter(
    ({ path }) => path === "latency.walk_overhead",
  );
  const of = (all: Mark[], sought: string) =>
    all.filter(({ confidence }) => confidence === sought).length;
  const text = read("docs/limits.md").replace(/\s+/g, " ");
  expect(of(overheads, "documented")).toBe(1);
  expect(text).toContain(
    `Of ${overheads.length} models, ${of(overheads, "assumed")} assume`,
  );
  expect(text).toContain(`In ${of(overheads, "inferred")} it is inferred`);
  expect(text).toContain(
    `Of ${marks.length} marks, ${of(marks, "assumed")} are "assumed"`,
  );
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
  "NestedInArray",
  "PwcConfig",
  "ControlConfig",
  "LatencyConfig",
  "MemoryConfig",
  "PomConfig",
  "VictimaConfig",
  "EcptConfig",
  "CacheConfig",
])("every_field_of_%s_is_explained", (type) => {
  const text = read("docs/machine.md");
  const fields = fieldsOf(type);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
