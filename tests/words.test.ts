/** Tests that the texts of the UI do not have the words that the glossary replaces. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { replacedWords } from "./prose.ts";

const banned = new RegExp(
  `\\b(?:${replacedWords(readFileSync("docs/glossary.md", "utf8")).join("|")})\\b`,
  "i",
);

/** Returns string literals, parts of templates, and JSX texts. A single word is an identifier and no text. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) texts.push(node.text);
    else if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) texts.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts
    .map((text) => text.replaceAll(/\$\{[^{}]*\}|[\s`]+/g, " ").trim())
    .filter((text) => /\S\s+\S/.test(text));
}

/** Returns the texts with a replaced word, each after this word. */
const problems = (file: string, source: string) =>
  textsOf(file, source).flatMap((text) => {
    const found = banned.exec(text);
    return found ? [`${found[0]}: ${text}`] : [];
  });

/**
 * Returns the plurals after a number that may be 1: `${count(n)} walks`. The helper `counted` knows the singular.
 * A constant, in capitals, is never 1.
 */
function plurals(file: string, source: string): string[] {
  const found: string[] = [];
  const look = (number: ts.Node | undefined, after: string) => {
    const noun = /^\s+(?:more )?[a-z]+s\b/.exec(after)?.[0].trim();
    const isCount = /^count\((?!\(?[A-Z_]+\b)/.test(number?.getText() ?? "");
    if (noun && isCount && !/^(?:is|as|has|does)$/.test(noun)) found.push(noun);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateSpan(node)) look(node.expression, node.literal.text);
    else if (ts.isJsxElement(node) || ts.isJsxFragment(node))
      node.children.forEach((child, at) => {
        const before = node.children[at - 1];
        if (ts.isJsxText(child) && before && ts.isJsxExpression(before))
          look(before.expression, child.text);
      });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

const FOLDERS = ["views", "app", "state", "model"];

/** Returns what `find` finds in the files of a folder, each after its file. */
function findIn(
  folder: string,
  find: (file: string, source: string) => string[],
): string[] {
  return readdirSync(join("src", folder), { recursive: true })
    .map((name) => join("src", folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((file) =>
      find(file, readFileSync(file, "utf8")).map((text) => `${file}: ${text}`),
    );
}

test.each(FOLDERS)(
  "texts_of_src_%s_have_no_word_that_the_glossary_replaces",
  (folder) => expect(findIn(folder, problems)).toEqual([]),
);

test.each(FOLDERS)("counts_in_src_%s_have_a_noun_in_the_singular", (folder) =>
  expect(findIn(folder, plurals)).toEqual([]),
);

test("plurals_are_found_after_a_count_and_not_after_a_constant", () => {
  const source = [
    "const a = `${count(n)} walks`;",
    "const b = `${count(MOST)} pages, ${count(n)} is left`;",
    "const c = <p>{count(n)} more rows</p>;",
    'const d = counted(n, "way");',
  ].join("\n");
  expect(plurals("a.tsx", source)).toEqual(["walks", "more rows"]);
});

test("texts_are_found_in_strings_templates_and_elements_but_not_in_comments", () => {
  const source = [
    'const a = "nobody reads it"; // told beside it',
    "const b = `${n} of before`;",
    "const c = <p>So many pages</p>;",
    'const d = "told";',
  ].join("\n");
  expect(problems("a.tsx", source)).toEqual([
    "nobody: nobody reads it",
    "of before: of before",
    "So many: So many pages",
  ]);
});
