/** Tests that the translated parts have their texts in the catalogues. */
import { readFileSync, readdirSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const FOLDERS = [
  "src/app/learn",
  "src/app/welcome",
  "src/app/glossary",
  "src/app/language",
  "src/views/learn",
  "src/views/welcome",
  "src/views/glossary",
];

/** The header. */
const FILES = [
  "Brand",
  "DetailChoice",
  "Header",
  "HelpItems",
  "HelpMenu",
  "ScreenNav",
  "ShareButton",
  "SkipLinks",
].map((name) => `src/app/frame/${name}.tsx`);

/** What a student sees of an exercise; the pages of teachers are in English. */
const STUDENT = [
  "src/app/exercise/ExerciseDoor.tsx",
  "src/app/exercise/ExerciseLinks.tsx",
  "src/app/exercise/Student.tsx",
  "src/views/exercise/ExerciseStrip.tsx",
  "src/views/exercise/StudentEnd.tsx",
  "src/views/exercise/StudentStart.tsx",
];

const parts = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .map((name) => `${folder}/${name}`),
  ),
  ...FILES,
  ...STUDENT,
];

/** Attributes that a reader sees or hears. */
const SPOKEN =
  /^(aria-(label|description|roledescription)|alt|title|placeholder|label|text|name)$/;

/** Names and numbers that are the same in every language. */
const SAME =
  /\b(?:Pagewalk|JSON|xor|CR3|EPT|STLB|TLB|0x[0-9a-f]+|\d+[A-Z]?)\b/g;

/** Returns the words in elements and in attributes, also those that an expression chooses. */
function wordsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const strings = (node: ts.Node): void => {
    // Elements in an expression are visited by themselves, and calls choose a text by its key.
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)) return;
    if (ts.isJsxFragment(node) || ts.isCallExpression(node)) return;
    if (ts.isElementAccessExpression(node) || ts.isFunctionLike(node)) return;
    if (ts.isBinaryExpression(node) && isComparison(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)]
          .map(({ text }) => text)
          .join(" "),
      );
    ts.forEachChild(node, strings);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text);
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      !ts.isJsxAttribute(node.parent)
    )
      strings(node.expression);
    if (
      ts.isJsxAttribute(node) &&
      SPOKEN.test(node.name.getText()) &&
      !isIcon(node) &&
      node.initializer
    )
      strings(
        ts.isJsxExpression(node.initializer) && node.initializer.expression
          ? node.initializer.expression
          : node.initializer,
      );
    // A list of items: `{ text: "Keys", … }`.
    if (ts.isPropertyAssignment(node) && SPOKEN.test(node.name.getText()))
      strings(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      file,
      source,
      ts.ScriptTarget.Latest,
      true,
      ts.ScriptKind.TSX,
    ),
  );
  return found
    .map((text) => text.replaceAll(SAME, "").replaceAll(/\s+/g, " ").trim())
    .filter((text) => /\p{L}{2}/u.test(text));
}

/** The name of an icon chooses its shape. */
const isIcon = ({ parent }: ts.JsxAttribute) =>
  parent.parent.tagName.getText() === "Icon";

const isComparison = ({ operatorToken }: ts.BinaryExpression) =>
  /^[!=]==$/.test(operatorToken.getText());

test.each(parts)("%s_has_its_texts_in_the_catalogue", (file) => {
  expect(wordsIn(file, readFileSync(file, "utf8"))).toEqual([]);
});

test("texts_are_found_in_elements_attributes_choices_and_lists", () => {
  const source = `
    const items = [{ text: "Keys", act }];
    const a = (
      <p title="A tip" className="no text" aria-label={say("label")}>
        Some words {isOpen ? "shut" : say("open")} {\`of \${n}\`}
        {kind === "load" ? <b>Pagewalk CR3</b> : word}
        <Icon name="chevron" />
      </p>
    );`;
  expect(wordsIn("a.tsx", source)).toEqual([
    "Keys",
    "A tip",
    "Some words",
    "shut",
    "of",
  ]);
});

test("the_parts_are_those_that_are_translated", () => {
  expect(parts.length).toBeGreaterThan(20);
});
