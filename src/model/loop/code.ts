/**
 * The code of a loop before it runs: each call of `load`, `store` and `array` gets a name of its own, so that an access
 * knows its line without asking for it a million times. Lines stay where they are.
 */
import { javascriptLanguage } from "@codemirror/lang-javascript";
import type { LoopProblem } from "./loop";

export type SiteKind = "load" | "store" | "array";

/** A call in the code. */
export interface LoopSite {
  readonly kind: SiteKind;
  /** What stands in the place of the word. */
  readonly id: string;
  readonly line: number;
  /** What an array is called, if it is a variable's first value. */
  readonly name?: string;
}

export interface PreparedLoop {
  readonly code: string;
  readonly sites: readonly LoopSite[];
  /** What a loop does not have; then it is not run. */
  readonly problem?: LoopProblem;
  /** The first line that cannot be read as JavaScript; the browser has the last word on whether it can. */
  readonly unreadable?: number;
  /** What cannot be read is that the code ends. */
  readonly isUnfinished?: boolean;
  /** The first line of a loop that nothing ends: without a condition, and with nothing that leaves it. */
  readonly endless?: number;
}

const KINDS: readonly string[] = ["load", "store", "array"];
const MODULES =
  /^(DynamicImport|ImportDeclaration|ImportMeta|ExportDeclaration)$/;
/** A loop whose condition is always true, and words that leave one. */
const ENDLESS = /^(while\s*\(\s*(true|1)\s*\)|for\s*\([^;]*;\s*;)/;
const LEAVES = /\b(break|return|throw)\b/;

export function prepareLoop(code: string): PreparedLoop {
  const lineAt = lineFinder(code);
  const text = (node: { from: number; to: number }) =>
    code.slice(node.from, node.to);
  const sites: (LoopSite & { from: number; to: number })[] = [];
  const own = new Set<string>();
  let problem: LoopProblem | undefined;
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
            "`import` and `export` do not exist in a loop: it is one piece of code, without a network.",
          line: lineAt(node.from),
        };
      if (node.name === "VariableDefinition") own.add(text(node));
      const callee = node.name === "CallExpression" ? node.firstChild : null;
      const word = callee?.name === "VariableName" ? text(callee) : "";
      if (!callee || !KINDS.includes(word)) return;
      const { from, to } = callee;
      const name = word === "array" ? nameOf(node, text) : undefined;
      sites.push({
        // The test above lets nothing else through.
        kind: word as SiteKind,
        id: `$${word}${sites.length}`,
        line: lineAt(from),
        ...(name !== undefined && { name }),
        from,
        to,
      });
    },
  });
  // Whoever defines such a word means its own.
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

/** The variable that a call's value goes to: `const a = array(8)`. */
function nameOf(call: Node, text: (node: Node) => string): string | undefined {
  const equals = call.prevSibling;
  const variable = equals?.name === "Equals" ? equals.prevSibling : null;
  const isVariable = /^Variable(Definition|Name)$/.test(variable?.name ?? "");
  return variable && isVariable ? text(variable) : undefined;
}

/** Lines from 1, asked for by rising places of the code. */
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
