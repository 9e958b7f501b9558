import { expect, test } from "vitest";
import type { AttributionCounts } from "../../../src/engine/generated/AttributionCounts";
import type { CallPaths } from "../../../src/engine/generated/CallPaths";
import {
  isBelowRecursion,
  withoutRecursion,
} from "../../../src/model/attribution/recursion";
import { VIEW } from "./callsData";

const NONE = VIEW.calls.nodes[1]?.own as AttributionCounts;

/** Paths as `main;insert 5`, each with its own walks. */
function paths(lines: readonly string[]): CallPaths {
  const known = new Map<string, number>();
  const nodes: CallPaths["nodes"] = [];
  for (const line of lines) {
    const [path = "", n] = line.split(" ");
    const names = path.split(";");
    known.set(path, nodes.length);
    const own = { ...NONE, walks: Number(n) };
    const parent = known.get(names.slice(0, -1).join(";")) ?? null;
    nodes.push({ name: names.at(-1) ?? "", parent, own, total: own });
    for (let at = parent; at !== null; at = nodes[at]?.parent ?? null) {
      const above = nodes[at];
      if (!above) break;
      const walks = above.total.walks + own.walks;
      nodes[at] = { ...above, total: { ...above.total, walks } };
    }
  }
  return { nodes, n_others: 0, others: NONE, unknown: NONE };
}

function check(lines: readonly string[], expected: readonly string[]) {
  const merged = withoutRecursion(paths(lines));
  const { nodes } = merged.calls;
  const pathOf = (at: number): string => {
    const { name = "", parent = null } = nodes[at] ?? {};
    return parent === null ? name : `${pathOf(parent)};${name}`;
  };
  const found = nodes.map(({ own, total }, at) => {
    const marks = `${merged.recursive.has(at) ? " r" : ""}${isBelowRecursion(merged, at) ? " below" : ""}`;
    return `${pathOf(at)} ${own.walks} ${total.walks}${marks}`;
  });
  expect(found).toEqual(expected);
}

test("a_function_that_calls_itself_is_one_node", () => {
  check(
    ["main 1", "main;f 2", "main;f;f 4", "main;f;f;f 8"],
    ["main 1 15", "main;f 14 14 r"],
  );
});

test("what_each_of_its_calls_calls_is_added_up", () => {
  check(
    ["main 1", "main;f 2", "main;f;g 4", "main;f;f 8", "main;f;f;g 16"],
    ["main 1 31", "main;f 10 30 r", "main;f;g 20 20 below"],
  );
});

test("functions_that_call_each_other_stay", () => {
  check(["f 1", "f;g 2", "f;g;f 4"], ["f 1 7", "f;g 2 6", "f;g;f 4 4"]);
});
