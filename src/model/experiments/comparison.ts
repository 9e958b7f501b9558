/** The tables of an experiment: simulated numbers, numbers derived on paper, and published ones, in columns of their own. */
import type { Caveat } from "../../engine/generated/Caveat";
import type { Figure as Claimed } from "../../engine/generated/Figure";
import type { ResultTable } from "../../engine/generated/ResultTable";
import type { Row } from "../../engine/generated/Row";
import type { Source } from "../../engine/generated/Source";
import type { Verdict } from "../../engine/generated/Verdict";
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
  /** `undefined` if no run counts the number. */
  readonly simulated: string | undefined;
  readonly exact: string | undefined;
  readonly derived: Figure | undefined;
  readonly published: Figure | undefined;
  readonly expectation: Figure | undefined;
  /** The verdict on each figure. */
  readonly judgements: readonly Judgement[];
  readonly hypothesis: string | undefined;
  readonly note: string | undefined;
}

/** A number to compare with, and the difference of the simulated number from it. */
export interface Figure {
  readonly text: string;
  /** How the number follows, or which error it has. */
  readonly more: string | undefined;
  /** The publication, and the place in it. */
  readonly source: Source | undefined;
  readonly at: string | undefined;
  readonly difference: string | undefined;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** `differs from published`. */
  readonly text: string;
}

/** What a simulated number is compared with. */
export const COLUMNS = ["derived", "published", "expectation"] as const;

type Column = (typeof COLUMNS)[number];

export interface ComparedTable {
  readonly title: string;
  readonly cases: readonly string[];
  readonly rows: readonly ComparedRow[];
  /** How the derived numbers follow, if all follow in the same way. */
  readonly formula: string | undefined;
  /** Columns that are empty in every row are left out. */
  readonly has: Readonly<
    Record<Column, boolean> &
      Record<"simulated" | "judgements", boolean> & {
        readonly difference: Readonly<Record<Column, boolean>>;
      }
  >;
}

export function comparedTable(
  { title, cases, rows }: ResultTable,
  sources: readonly Source[],
): ComparedTable {
  const formulas = new Set(rows.flatMap(({ derived }) => derived?.text ?? []));
  const [first] = formulas;
  const formula = formulas.size === 1 && isFormula(first) ? first : undefined;
  const compared = rows.map((row, at) =>
    comparedRow(rows, at, row, formula !== undefined, sources),
  );
  const has = (column: Column) => compared.some((row) => row[column]);
  const differs = (column: Column) =>
    compared.some((row) => row[column]?.difference !== undefined);
  return {
    title,
    cases,
    rows: compared,
    formula,
    has: {
      simulated: compared.some(({ simulated }) => simulated !== undefined),
      derived: has("derived"),
      published: has("published"),
      expectation: has("expectation"),
      judgements: compared.some(({ judgements }) => judgements.length > 0),
      difference: {
        derived: differs("derived"),
        published: differs("published"),
        expectation: differs("expectation"),
      },
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
  sources: readonly Source[],
): ComparedRow {
  const { simulated, derived, published, expectation } = row;
  const figure = (it: Claimed): Figure => ({
    text: it.text,
    more: remarks(it),
    source: sources.find(({ id }) => id === it.cited?.source),
    at: it.cited?.at,
    difference: difference(simulated, it),
  });
  return {
    cases: row.case.map((text, column) =>
      isLike(rows, at - 1, at, column)
        ? undefined
        : { text, span: spanOf(rows, at, column) },
    ),
    heading: row.case.join(", "),
    quantity: row.quantity,
    unit: row.unit,
    simulated: simulated === undefined ? undefined : quantity(simulated),
    exact: simulated === undefined ? undefined : exact(simulated),
    derived: derived && {
      ...figure(derived),
      ...derivedText(derived, isFormulaShown),
    },
    published: published && figure(published),
    expectation: expectation && figure(expectation),
    judgements: judgements(row),
    hypothesis: row.hypothesis,
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
function derivedText(
  { text, value }: Claimed,
  isFormulaShown: boolean,
): Pick<Figure, "text" | "more"> {
  if (value === undefined) return { text, more: undefined };
  return {
    text: quantity(value),
    more: isFormulaShown || !isFormula(text) ? undefined : text,
  };
}

const CAVEATS: Readonly<Record<Caveat, string>> = {
  "cannot-be-looked-up": "reported; cannot be looked up, so no verdict",
  "of-simulation": "simulated in the source, too",
  "follows-from-configuration": "follows from the configuration",
  "tests-hypothesis": "run to test a hypothesis",
};

/** The error of a number that is printed without one, and the caveat of a figure. */
function remarks({ text, value, error, caveat }: Claimed): string | undefined {
  const isRounded =
    value !== undefined && error !== undefined && !/±/.test(text);
  const texts = [
    ...(isRounded ? [`± ${exact(error)} by rounding`] : []),
    ...(caveat === undefined ? [] : [CAVEATS[caveat]]),
  ];
  return texts.length === 0 ? undefined : texts.join("; ");
}

function difference(
  simulated: number | undefined,
  { value, change }: Claimed,
): string | undefined {
  if (simulated === undefined) return undefined;
  if (change) {
    const text = differenceText(simulated, change.from);
    return text === "0" ? "no change" : `${text} change`;
  }
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

/** From the best to the worst. */
const TEXTS: Readonly<
  Record<Verdict, (name: string, within: string) => string>
> = {
  // Without the error, a large difference beside the word would look like a contradiction.
  agrees: (name, within) => `agrees with ${name}${within}`,
  undecided: () => "undecided: too large an error",
  differs: (name) => `differs from ${name}`,
};

const NAMES: Readonly<Record<Column, string>> = {
  derived: "derived",
  published: "published",
  expectation: "our expectation",
};

/** A smaller deviation is written as 0 %. */
const NOTHING = 0.005;

/** The verdicts of a row, one for each figure. */
function judgements(row: Row): Judgement[] {
  return COLUMNS.flatMap((column) => {
    const figure = row[column];
    if (figure?.verdict === undefined) return [];
    const { verdict } = figure;
    return { verdict, text: TEXTS[verdict](NAMES[column], errorText(figure)) };
  });
}

/** The error of a figure, if the simulated number differs from the figure by a part of it. */
function errorText({ error = 0, change, deviation = 0 }: Claimed): string {
  const isEqual = Math.abs(deviation) < NOTHING;
  return change || error === 0 || isEqual
    ? ""
    : `, within ± ${exact(Number(error.toPrecision(3)))}`;
}

/** Verdicts from the best to the worst. */
const ORDER = Object.keys(TEXTS) as readonly Verdict[];

const worst = (verdicts: readonly (Verdict | undefined)[]) =>
  ORDER.findLast((verdict) => verdicts.includes(verdict));

/** The worst verdict of a row. */
export function rowVerdict({
  derived,
  published,
  expectation,
}: Row): Verdict | undefined {
  return worst([derived, published, expectation].map((it) => it?.verdict));
}

/** The kinds of evidence, which a tally counts apart, as `pagewalk experiment --all` does. */
const EVIDENCE = [
  "published",
  "another simulation",
  "from the configuration",
  "derived",
  "tests of hypotheses",
  "our expectation",
] as const;

export type Evidence = (typeof EVIDENCE)[number];

const OF_CAVEAT: Readonly<Record<Caveat, Evidence>> = {
  "cannot-be-looked-up": "published",
  "of-simulation": "another simulation",
  "follows-from-configuration": "from the configuration",
  "tests-hypothesis": "tests of hypotheses",
};

const evidence = (column: Column, { caveat }: Claimed): Evidence => {
  if (column === "expectation") return "our expectation";
  if (column === "derived") return "derived";
  return caveat === undefined ? "published" : OF_CAVEAT[caveat];
};

export type Counts = Readonly<Record<Verdict, number>>;

/** The number of figures of each kind with each verdict, without the kinds that have none. */
export function tally(
  tables: readonly ResultTable[],
  counts: (figure: Claimed) => boolean = () => true,
): readonly (readonly [Evidence, Counts])[] {
  const found = tables
    .flatMap(({ rows }) => rows)
    .flatMap((row) =>
      COLUMNS.flatMap((column) => {
        const figure = row[column];
        return figure?.verdict !== undefined && counts(figure)
          ? [[evidence(column, figure), figure.verdict] as const]
          : [];
      }),
    );
  const count = (kind: Evidence, verdict: Verdict) =>
    found.filter(([a, b]) => a === kind && b === verdict).length;
  return EVIDENCE.filter((kind) => found.some(([each]) => each === kind)).map(
    (kind) => [
      kind,
      {
        agrees: count(kind, "agrees"),
        undecided: count(kind, "undecided"),
        differs: count(kind, "differs"),
      },
    ],
  );
}

/** The worst verdict of all rows. */
export function worstVerdict(
  tables: readonly ResultTable[],
): Verdict | undefined {
  return worst(tables.flatMap(({ rows }) => rows.map(rowVerdict)));
}
