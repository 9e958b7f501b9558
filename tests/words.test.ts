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

test.each(["views", "app", "state", "model"])(
  "texts_of_src_%s_have_no_word_that_the_glossary_replaces",
  (folder) => {
    const files = readdirSync(join("src", folder), { recursive: true })
      .map((name) => join("src", folder, String(name)))
      .filter((name) => /\.tsx?$/.test(name));
    const found = files.flatMap((file) =>
      problems(file, readFileSync(file, "utf8")).map(
        (text) => `${file}: ${text}`,
      ),
    );
    expect(found).toEqual([]);
  },
);

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
