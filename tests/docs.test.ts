import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const architecture = read("ARCHITECTURE.md");

const NOT_OURS = /(^|\/)(node_modules|dist|target|pkg|\.git)(\/|$)/;
const pages = ["", "src/", "sim-core/", "tests/", "scripts/", "public/"]
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
