/**
 * Prepares a JavaScript program: each call of `load`, `store` and `array` gets a unique name. So the line of an access is
 * known without a stack trace. Lines keep their numbers.
 */
import { javascriptLanguage } from "@codemirror/lang-javascript";
import type { CodeProblem } from "./code";

export type SiteKind = "load" | "store" | "array";

/** A call in the code. */
export interface ScriptSite {
  readonly kind: SiteKind;
  /** The name that replaces the word. */
  readonly id: string;
  readonly line: number;
  /** The name of an array, if it is a variable's first value. */
  readonly name?: string;
}

export interface PreparedScript {
  readonly code: string;
  readonly sites: readonly ScriptSite[];
  /** Something that a program must not use; the code is then not run. */
  readonly problem?: CodeProblem;
  /** The first line that is no valid JavaScript; the browser decides in the end. */
  readonly unreadable?: number;
  /** The code is invalid only because it ends too early. */
  readonly isUnfinished?: boolean;
  /** The first line of an endless loop: without a condition, and without a statement that leaves it. */
  readonly endless?: number;
}

const KINDS: readonly string[] = ["load", "store", "array"];
const MODULES =
  /^(DynamicImport|ImportDeclaration|ImportMeta|ExportDeclaration)$/;
/** Loops whose condition is always true, and statements that leave one. */
const ENDLESS = /^(while\s*\(\s*(true|1)\s*\)|for\s*\([^;]*;\s*;)/;
const LEAVES = /\b(break|return|throw)\b/;

export function prepareScript(code: string): PreparedScript {
  const lineAt = lineFinder(code);
  const text = (node: { from: number; to: number }) =>
    code.slice(node.from, node.to);
  const sites: (ScriptSite & { from: number; to: number })[] = [];
  const own = new Set<string>();
  let problem: CodeProblem | undefined;
  let unreadable: number | undefined;
  let isUnfinished: boolean | undefined;
  let endless: number | undefined;
  javascriptLanguage.parser.parse(code).iterate({
    enter: ({ node }) => {
      if (node.type.isError && unreadable === undefined) {
        unreadable = lineAt(node.from);
        isUnfinished = node.from >= code.trimEnd().length;
      }
      if (/^(While|For)Statement$/.test(node.name)) {
        const loop = text(node);
        if (ENDLESS.test(loop) && !LEAVES.test(loop))
          endless ??= lineAt(node.from);
      }
      if (MODULES.test(node.name))
        problem ??= {
          message:
            "A program cannot use `import` and `export`: it is one piece of code, without a network.",
          line: lineAt(node.from),
        };
      if (node.name === "VariableDefinition") own.add(text(node));
      const callee = node.name === "CallExpression" ? node.firstChild : null;
      const word = callee?.name === "VariableName" ? text(callee) : "";
      if (!callee || !KINDS.includes(word)) return;
      const { from, to } = callee;
      const name = word === "array" ? nameOf(node, text) : undefined;
      sites.push({
        // The test above excludes everything else, so the cast is safe.
        kind: word as SiteKind,
        id: `$${word}${sites.length}`,
        line: lineAt(from),
        ...(name !== undefined && { name }),
        from,
        to,
      });
    },
  });
  // Code that defines such a word itself means its own.
  const used = sites.filter(({ kind }) => !own.has(kind));
  let out = "";
  let at = 0;
  for (const { from, to, id } of used) {
    out += code.slice(at, from) + id;
    at = to;
  }
  return {
    code: out + code.slice(at),
    sites: used.map(({ kind, id, line, name }) => ({
      kind,
      id,
      line,
      ...(name !== undefined && { name }),
    })),
    ...(problem && { problem }),
    ...(unreadable !== undefined && { unreadable }),
    ...(isUnfinished === true && { isUnfinished }),
    ...(endless !== undefined && { endless }),
  };
}

interface Node {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly prevSibling: Node | null;
}

/** The variable that gets a call's value: `const a = array(8)`. */
function nameOf(call: Node, text: (node: Node) => string): string | undefined {
  const equals = call.prevSibling;
  const variable = equals?.name === "Equals" ? equals.prevSibling : null;
  const isVariable = /^Variable(Definition|Name)$/.test(variable?.name ?? "");
  return variable && isVariable ? text(variable) : undefined;
}

/** Line numbers from 1, for positions in rising order. */
function lineFinder(code: string): (at: number) => number {
  const ends: number[] = [];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1))
    ends.push(at);
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
