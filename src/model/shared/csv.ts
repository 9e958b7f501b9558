/**
 * Tables and charts as CSV: numbers in full, so that other programs can compute with them. The library
 * papaparse also disarms formulas, but has 7 kB compressed, where this has a few lines.
 */

export function csv(
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** What a spreadsheet would run as a formula; text from a file may begin with it. */
const FORMULA = /^[=+\-@\t\r\n]/;

function cell(value: string | number | undefined): string {
  if (value === undefined) return "";
  // An apostrophe makes it text; a number with a sign is no formula.
  const isFormula = FORMULA.test(String(value)) && Number.isNaN(Number(value));
  const text = `${isFormula ? "'" : ""}${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The CSV with additional columns, by header, that have one value for all rows. */
export function withFacts(
  text: string,
  facts: Readonly<Record<string, string>>,
): string {
  const more = (cells: readonly string[]) =>
    cells.map((each) => `,${cell(each)}`).join("");
  const [heads, each] = [more(Object.keys(facts)), more(Object.values(facts))];
  // Line breaks between quotes do not end a row.
  let isHead = true;
  return text.replaceAll(/"(?:[^"]|"")*"|\n/g, (found) => {
    if (found !== "\n") return found;
    const ended = `${isHead ? heads : each}\n`;
    isHead = false;
    return ended;
  });
}

/** A title as a file name: `Page walks` is `page-walks`. */
export function fileName(...titles: readonly string[]): string {
  return titles
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
