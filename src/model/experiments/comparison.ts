/** The tables of an experiment: simulated numbers, calculated ones ("on paper") and published ones. */
import type { Reference } from "../../engine/generated/Reference";
import type { ResultTable } from "../../engine/generated/ResultTable";
import type { Row } from "../../engine/generated/Row";
import type { Tolerance } from "../../engine/generated/Tolerance";
import { percent } from "../shared/format";
import { exact, quantity, signed } from "../shared/quantity";

export interface CaseCell {
  readonly text: string;
  /** The number of rows that the cell spans. */
  readonly span: number;
}

export interface ComparedRow {
  /** `undefined` if the cell above spans this row, too. */
  readonly cases: readonly (CaseCell | undefined)[];
  /** The texts of all case columns, for layouts in which no cell spans several rows. */
  readonly heading: string;
  readonly quantity: string;
  readonly unit: string;
  readonly simulated: string;
  readonly exact: string;
  readonly paper: Figure | undefined;
  /** The difference of the simulated number from the one on paper. */
  readonly fromPaper: string | undefined;
  readonly published: Figure | undefined;
  /** The difference of the simulated number from the published one. */
  readonly fromPublished: string | undefined;
  /** The result of each comparison. */
  readonly agreements: readonly Agreement[];
  readonly note: string | undefined;
}

/** A number with its note. */
export interface Figure {
  readonly text: string;
  /** How the number follows, or which numbers agree with it. */
  readonly more: string | undefined;
}

export interface Agreement {
  readonly agrees: boolean;
  /** How the numbers agree: `exactly as on paper`, `in the published range`. */
  readonly how: string;
}

export interface ComparedTable {
  readonly title: string;
  readonly cases: readonly string[];
  readonly rows: readonly ComparedRow[];
  /** How the numbers on paper follow, if all follow in the same way. */
  readonly formula: string | undefined;
  /** Columns that are empty in every row are left out. */
  readonly has: {
    readonly paper: boolean;
    readonly fromPaper: boolean;
    readonly published: boolean;
    readonly fromPublished: boolean;
    readonly agreements: boolean;
  };
}

export function comparedTable({
  title,
  cases,
  rows,
}: ResultTable): ComparedTable {
  const formulas = new Set(
    rows.flatMap(({ expected }) => expected?.text ?? []),
  );
  const [first] = formulas;
  const formula = formulas.size === 1 && isFormula(first) ? first : undefined;
  const compared = rows.map((row, at) =>
    comparedRow(rows, at, row, formula !== undefined),
  );
  const has = (key: "paper" | "fromPaper" | "published" | "fromPublished") =>
    compared.some((row) => row[key] !== undefined);
  return {
    title,
    cases,
    rows: compared,
    formula,
    has: {
      paper: has("paper"),
      fromPaper: has("fromPaper"),
      published: has("published"),
      fromPublished: has("fromPublished"),
      agreements: compared.some(({ agreements }) => agreements.length > 0),
    },
  };
}

/** Whether the text says more than the number alone. */
function isFormula(text: string | undefined): boolean {
  return text !== undefined && /[^\d.,\s]/.test(text);
}

function comparedRow(
  rows: readonly Row[],
  at: number,
  row: Row,
  isFormulaShown: boolean,
): ComparedRow {
  const { expected, published } = row;
  return {
    cases: row.case.map((text, column) =>
      isLike(rows, at - 1, at, column)
        ? undefined
        : { text, span: spanOf(rows, at, column) },
    ),
    heading: row.case.join(", "),
    quantity: row.quantity,
    unit: row.unit,
    simulated: quantity(row.simulated),
    exact: exact(row.simulated),
    paper: expected && paperFigure(expected, isFormulaShown),
    published: published && {
      text: published.text,
      more: rangeText(published),
    },
    fromPaper: difference(row.simulated, expected),
    fromPublished: difference(row.simulated, published),
    agreements: agreements(row),
    note: row.note,
  };
}

/** Returns whether the rows have the same case in this column and in all before it. */
function isLike(
  rows: readonly Row[],
  above: number,
  below: number,
  column: number,
): boolean {
  const [a, b] = [rows[above], rows[below]];
  if (!a || !b) return false;
  return b.case
    .slice(0, column + 1)
    .every((text, each) => a.case[each] === text);
}

function spanOf(rows: readonly Row[], from: number, column: number): number {
  let span = 1;
  while (isLike(rows, from, from + span, column)) span += 1;
  return span;
}

/** The number, and after it how it follows. */
function paperFigure(
  { text, value }: Reference,
  isFormulaShown: boolean,
): Figure {
  if (value === undefined) return { text, more: undefined };
  const number = quantity(value);
  return {
    text: number,
    more: isFormulaShown || !isFormula(text) ? undefined : text,
  };
}

/** The range that agrees with the published number, if it is more than the number itself. */
function rangeText({ value, range }: Reference): string | undefined {
  if (!range) return undefined;
  const [least, most] = range;
  if (least === most && least === value) return undefined;
  return `${exact(least)} to ${exact(most)} agree`;
}

function difference(
  simulated: number,
  reference: Reference | undefined,
): string | undefined {
  const value = reference?.value;
  return value === undefined ? undefined : differenceText(simulated, value);
}

/** Relative if that has a meaning; absolute if the number is 0; "0" if they are equal. */
function differenceText(simulated: number, value: number): string {
  const by = simulated - value;
  if (Math.abs(by) <= 1e-9 * Math.abs(value)) return "0";
  if (value === 0) return signed(by);
  const share = by / Math.abs(value);
  // From this ratio on, a factor says more than a percentage.
  if (share >= 9) return `× ${quantity(Math.round(simulated / value))}`;
  const text = percent(share);
  // Texts such as `< 0.01 %` are neither.
  return share > 0 && !text.startsWith("<") ? `+${text}` : text;
}

const HOW: Readonly<Record<Tolerance, string>> = {
  exact: "exactly as on paper",
  // A non-breaking space keeps the sign on the same line.
  tight: "within 1\u00a0% of paper",
  loose: "in the published range",
  sign: "in the published direction",
};

/** The comparisons of a row, one by one; the row agrees if all do. */
function agreements(row: Row): Agreement[] {
  const { agrees, tolerance, simulated, expected, published } = row;
  if (agrees === undefined || tolerance === undefined) return [];
  const list: Agreement[] = [];
  if (tolerance === "exact" || tolerance === "tight")
    list.push({
      agrees: isNear(simulated, expected?.value, tolerance),
      how: HOW[tolerance],
    });
  if (published?.range) {
    const [least, most] = published.range;
    list.push({
      agrees: least <= simulated && simulated <= most,
      how: HOW.loose,
    });
  }
  // The core decides whether the direction agrees.
  const rest = list.every((each) => each.agrees);
  if (tolerance === "sign" || (rest && !agrees))
    list.push({ agrees, how: HOW.sign });
  return list;
}

/** The core uses this rule too: one thousandth if the number on paper is 0. */
function isNear(
  simulated: number,
  value: number | undefined,
  tolerance: "exact" | "tight",
): boolean {
  if (value === undefined) return false;
  const share = tolerance === "exact" ? 1e-9 : 0.01;
  const most =
    tolerance === "tight" && value === 0 ? 0.001 : share * Math.abs(value);
  return Math.abs(simulated - value) <= most;
}

/** How many of the compared rows agree. */
export function tally(tables: readonly ResultTable[]): {
  readonly agree: number;
  readonly compared: number;
} {
  const compared = tables
    .flatMap(({ rows }) => rows)
    .filter(({ agrees }) => agrees !== undefined);
  const agree = compared.filter(({ agrees }) => agrees).length;
  return { agree, compared: compared.length };
}
