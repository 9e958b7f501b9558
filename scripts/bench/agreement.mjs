// Compares the counts of the native core and of the wasm module, which must be equal.

const TITLES = { native: "native", node: "Node", chromium: "Chromium" };

/** @returns {string[]} one line for each trace and place that differs from the first place */
export function disagreements(results) {
  const [first, ...others] = Object.keys(TITLES).filter((key) => results[key]);
  const lines = importsThatDiffer(results.node, results.chromium);
  for (const other of others) {
    for (const [trace, { report, accesses, runs }] of Object.entries(
      results[other].traces,
    )) {
      const twin = results[first].traces[trace];
      const where = firstDifference(
        { report: twin.report, accesses: twin.accesses, runs: twin.runs },
        { report, accesses, runs },
      );
      if (where)
        lines.push(
          `(${trace}): ${where}, in ${TITLES[first]} against ${TITLES[other]}`,
        );
    }
  }
  return lines;
}

/** Both places import the same files, and must find as many accesses in them. */
function importsThatDiffer(node, chromium) {
  if (!node || !chromium) return [];
  return Object.entries(node.imports).flatMap(([name, { accesses }]) => {
    const other = chromium.imports[name]?.accesses;
    if (accesses === other) return [];
    return `Import ${name}: accesses is ${accesses} against ${other}, in Node against Chromium`;
  });
}

function firstDifference(one, other, path = []) {
  if (Object.is(one, other)) return undefined;
  if (!isObject(one) || !isObject(other))
    return `${path.join(".")} is ${one} against ${other}`;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) {
    const found = firstDifference(one[key], other[key], [...path, key]);
    if (found) return found;
  }
  return undefined;
}

const isObject = (value) => typeof value === "object" && value !== null;
