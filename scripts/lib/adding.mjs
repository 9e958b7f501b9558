// The suite `adding` follows docs/adding.md with the toys of tests/adding, in a copy of the tree.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { inputs, toys } from "../../tests/adding/toys.mjs";
import { say } from "./output.mjs";
import { inRoot, root, simCore } from "./paths.mjs";
import { ask, nodeProgram, run } from "./run.mjs";

const copy = path.join(simCore, "target", "adding");
const program = path.join(copy, "build", "debug", "pagewalk");

/** Writes a file of the copy, unless it has this text already: cargo builds only what changed. */
function write(file, bytes) {
  const target = path.join(copy, "tree", file);
  try {
    if (readFileSync(target).equals(bytes)) return;
  } catch {
    mkdirSync(path.dirname(target), { recursive: true });
  }
  writeFileSync(target, bytes);
}

/** Removes files of the copy that the tree does not have any more. */
function removeOthers(tree) {
  const folder = path.join(copy, "tree");
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).replaceAll("\\", "/");
    const isOurs = tree.has(name) || name === "sim-core/Cargo.lock";
    if (entry.isFile() && !isOurs) rmSync(file);
  }
}

/** The texts of all tracked files that a toy needs, by path. */
function readTree() {
  const listed = ask("git", ["ls-files", "sim-core", "src", "docs"], root);
  const files = listed
    .split("\n")
    .filter((name) => !name.startsWith("sim-core/fuzz/"));
  return new Map(files.map((file) => [file, readFileSync(inRoot(file))]));
}

/** Returns whether a section of the page names a file. In names of new files, `<id>` stands for any word. */
function names(section, file, isNew) {
  const quoted = [...section.matchAll(/`([\w./<>-]+)`/g)].map(
    ([, name]) => name,
  );
  const usable = quoted.filter((name) => isNew || !name.includes("<"));
  const patterns = usable.map((name) => {
    const parts = name
      .split(/<\w+>/)
      .map((part) => part.replace(/[.]/g, "\\."));
    return new RegExp(`^${parts.join("[\\w-]+")}`);
  });
  return patterns.some((pattern) => pattern.test(file));
}

/** Applies a toy to the tree; returns what is wrong with the page or the toy. */
function apply(tree, { section, edits }) {
  const page = tree.get("docs/adding.md").toString();
  const [, text] = page.split(`\n## ${section}\n`);
  if (!text) return [`docs/adding.md has no section “${section}”`];
  const [own] = text.split("\n## ");
  return edits.flatMap(({ file, text, after, insert }) => {
    if (!names(own, file, text !== undefined))
      return [`“${section}” does not name ${file}`];
    if (text !== undefined) {
      tree.set(file, Buffer.from(text));
      return [];
    }
    const before = tree.get(file)?.toString() ?? "";
    const at = before.indexOf(after);
    if (at < 0) return [`${file} has no line ${JSON.stringify(after)}`];
    const end = at + after.length;
    tree.set(
      file,
      Buffer.from(before.slice(0, end) + insert + before.slice(end)),
    );
    return [];
  });
}

const valueAt = (value, place) =>
  place.split(".").reduce((part, key) => part?.[key], value);

/** Runs the command of a toy; returns what differs from its expectation. */
function differences({ section, run: args, expect }) {
  if (!args) return [];
  const printed = ask(program, args, copy);
  if (!printed) return [`${section}: \`pagewalk ${args.join(" ")}\` failed`];
  const report = JSON.parse(printed);
  return Object.entries(expect)
    .map(([place, wanted]) => [place, wanted, valueAt(report, place)])
    .filter(([, wanted, found]) => wanted !== found)
    .map(
      ([place, wanted, found]) =>
        `${section}: ${place} is ${found}, not ${wanted}`,
    );
}

/** Runs cargo on the copy; returns its exit code. */
async function cargo(command, ...args) {
  const cwd = path.join(copy, "tree", "sim-core");
  const env = { CARGO_PROFILE_DEV_DEBUG: "0" };
  const own = ["--target-dir", path.join(copy, "build")];
  return (await run("cargo", [command, ...own, ...args], { cwd, env })).code;
}

/** Compiles the tests that toys add to, and the command line. */
async function build() {
  const packages = ["-p", "pagewalk-core", "-p", "pagewalk-sources"];
  const tests = ["--test", "equivalence", "--test", "import"];
  const code = await cargo("check", "-q", ...packages, ...tests);
  if (code !== 0) return code;
  // The feature `ts`, which the types of the toy panel need, is always on, so each crate is compiled once.
  const parts = ["-p", "pagewalk-cli", "-p", "pagewalk-analysis"];
  return cargo("build", "-q", ...parts, "--features", "pagewalk-analysis/ts");
}

/** Runs the test of a toy, which also writes its types, and compiles the site with them; returns what is wrong. */
async function failures({ section, tests, types }) {
  if (!tests) return [];
  const [crate, name] = tests;
  const file = path.join(copy, "tree", "src", "engine", "generated", types);
  rmSync(file, { force: true });
  const code = await cargo(
    ...["test", "-q", "--profile", "dev", "--features", "ts", "-p", crate],
    ...["--lib", "--", name, "export_bindings"],
  );
  if (code !== 0) return [`${section}: the test ${name} failed`];
  if (!existsSync(file)) return [`${section}: there are no types ${types}`];
  const project = path.join(copy, "tsconfig.json");
  writeFileSync(project, JSON.stringify(siteOfToys));
  const { code: wrong } = await run(
    ...nodeProgram("typescript", "-p", project),
  );
  return wrong === 0 ? [] : [`${section}: the site does not compile`];
}

/** All modules of the site but the worker, which needs the built wasm modules. */
const siteOfToys = {
  extends: path.join(root, "tsconfig.json"),
  compilerOptions: { incremental: true, tsBuildInfoFile: "site.tsbuildinfo" },
  files: ["tree/src/app/main.tsx"],
  include: [],
};

export async function adding() {
  const tree = readTree();
  const wrong = toys.flatMap((toy) => apply(tree, toy));
  if (wrong.length === 0) {
    removeOthers(tree);
    for (const [file, bytes] of tree) write(file, bytes);
    for (const [name, text] of Object.entries(inputs))
      writeFileSync(path.join(copy, name), text);
    const code = await build();
    if (code !== 0) wrong.push("the toys do not compile");
    else {
      wrong.push(...toys.flatMap(differences));
      for (const toy of toys) wrong.push(...(await failures(toy)));
    }
  }
  wrong.forEach((line) => say(line));
  return {
    passed: Math.max(toys.length - wrong.length, 0),
    failed: wrong.length,
  };
}
