// Writes the rows as aligned text.

const COLUMNS = [
  ["native", "native"],
  ["node", "wasm in Node"],
  ["chromium", "wasm in Chromium"],
];

/** The widths of value, target and ratio in characters. */
const WIDTHS = [8, 7, 7];
const GROUP = WIDTHS.reduce((sum, width) => sum + width, 0);

/** Returns 1 or more if the target is reached, also if less is better; `undefined` if there is no target. */
export function ratio({ values, targets, atMost }, column) {
  const [value, target] = [values[column], targets[column]];
  if (value === undefined || target === undefined) return undefined;
  return atMost ? target / value : value / target;
}

export function tableOf(rows) {
  const names = Math.max(...rows.map(({ name }) => name.length));
  const units = Math.max(...rows.map(({ unit }) => unit.length));
  const start = (name, unit) => `${name.padEnd(names)}  ${unit.padEnd(units)}`;
  const heads = COLUMNS.map(([, title]) => title.padStart(GROUP));
  const subheads = COLUMNS.map(() => cells(["", "target", "ratio"]));
  const lines = rows.map((row) => {
    const groups = COLUMNS.map(([column]) => group(row, column));
    return start(row.name, row.unit) + groups.join("");
  });
  return [
    start("", "") + heads.join(""),
    start("", "") + subheads.join(""),
    ...lines,
  ]
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Returns a line with the targets that are not reached. */
export function summaryOf(rows) {
  let [judged, reached] = [0, 0];
  const missed = [];
  for (const row of rows) {
    const ratios = COLUMNS.map(([column, title]) => [
      title,
      ratio(row, column),
    ]).filter(([, quotient]) => quotient !== undefined);
    const failed = ratios.filter(([, quotient]) => quotient < 1);
    judged += ratios.length;
    reached += ratios.length - failed.length;
    const where = failed.map(([title]) => title).join(", ");
    if (failed.length > 0) missed.push(`${row.name.trim()} (${where})`);
  }
  const sum = `${reached} of ${judged} targets reached`;
  return missed.length === 0 ? `${sum}.` : `${sum}; not: ${missed.join("; ")}.`;
}

function group(row, column) {
  const quotient = ratio(row, column);
  return cells([
    number(row.values[column], "–"),
    number(row.targets[column], ""),
    quotient === undefined ? "" : quotient.toFixed(2),
  ]);
}

const cells = (texts) =>
  texts.map((text, i) => text.padStart(WIDTHS[i])).join("");

function number(value, missing) {
  if (value === undefined) return missing;
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
