/** "Is this right?": the format, and the choices for reading it if the format leaves some open. */
import type { Base } from "../../engine/generated/Base";
import type { Kind } from "../../engine/generated/Kind";
import type { ListColumn } from "../../engine/generated/ListColumn";
import type { ListLayout } from "../../engine/generated/ListLayout";
import type { ListView } from "../../engine/generated/ListView";
import type { Peek } from "../../engine/generated/Peek";
import type { SeparatorName } from "../../engine/generated/SeparatorName";
import { LIST_COLUMNS, withColumn } from "../../model/import/draft";
import type { Reading } from "../../model/import/draft";
import {
  BASES,
  choicesOf,
  FIELD_LABELS,
  isLoneColumn,
  mainChoice,
  toolName,
} from "../../model/import/formats";
import { SelectField } from "./Labelled";
import { Scroll } from "./Scroll";

export interface ReadingFieldsProps {
  readonly peek: Peek;
  readonly reading: Reading;
  readonly onReading: (part: Reading) => void;
}

export function ReadingFields(props: ReadingFieldsProps) {
  const { peek, reading, onReading } = props;
  const { list, report } = peek;
  const lone = isLoneColumn(reading.format) ? reading.format : undefined;
  const loneColumn = lone ?? peek.lone_column;
  const guess = report ? `guess: ${toolName(report.format)}` : "not recognised";
  const setList = (part: ListLayout) =>
    onReading({ list: { ...reading.list, ...part } });
  return (
    <section className="draft-reading">
      <h3>Is this right?</h3>
      <div className="draft-fields">
        <SelectField
          label={FIELD_LABELS.format}
          note={reading.format === undefined ? "by its contents" : "yours"}
          value={mainChoice(reading.format ?? "")}
          options={[{ value: "", word: guess }, ...choicesOf("format")]}
          onChange={(format) => onReading({ format })}
        />
        {loneColumn === undefined ? null : (
          <SelectField
            label={FIELD_LABELS["lone-column"]}
            note={lone === undefined ? "a guess" : "yours"}
            value={loneColumn}
            options={choicesOf("lone-column")}
            onChange={(format) => onReading({ format })}
          />
        )}
        {list ? (
          <ListFields
            list={list}
            layout={reading.list}
            onLayout={setList}
            onSeparator={(separator) => onReading({ list: { separator } })}
          />
        ) : null}
      </div>
      {list ? (
        <ColumnTable
          list={list}
          onRole={(at, role) =>
            onReading({ list: withColumn(reading.list, list, at, role) })
          }
        />
      ) : null}
    </section>
  );
}

const SEPARATORS: readonly { value: SeparatorName; word: string }[] = [
  { value: "comma", word: "comma" },
  { value: "semicolon", word: "semicolon" },
  { value: "tab", word: "tab" },
  { value: "blanks", word: "blanks" },
];

const KINDS: readonly { value: Kind; word: string }[] = [
  { value: "load", word: "loads" },
  { value: "store", word: "stores" },
  { value: "fetch", word: "instruction fetches" },
];

interface ListFieldsProps {
  readonly list: ListView;
  readonly layout: ListLayout | undefined;
  readonly onLayout: (part: ListLayout) => void;
  readonly onSeparator: (separator: SeparatorName) => void;
}

function ListFields(props: ListFieldsProps) {
  const { list, layout, onLayout, onSeparator } = props;
  const { base, base_is_guessed, separator, names, kind } = list;
  const baseNote = layout?.base
    ? "yours"
    : base_is_guessed
      ? "a guess"
      : "sure";
  return (
    <>
      <SelectField
        label={FIELD_LABELS.base}
        note={baseNote}
        value={base}
        options={BASES}
        // The options are the values of the type, so the cast is safe.
        onChange={(base) => onLayout({ base: base as Base })}
      />
      <SelectField
        label="Between columns"
        note={layout?.separator ? "yours" : undefined}
        value={separator}
        options={SEPARATORS}
        // Another separator gives other columns, so the chosen roles are cleared.
        onChange={(separator) => onSeparator(separator as SeparatorName)}
      />
      <SelectField
        label="The first row is"
        note={layout?.header === undefined ? undefined : "yours"}
        value={names === undefined ? "data" : "names"}
        options={[
          { value: "names", word: "the columns' names" },
          { value: "data", word: "a record" },
        ]}
        onChange={(first) => onLayout({ header: first === "names" })}
      />
      {kind === undefined ? null : (
        <SelectField
          label="Accesses are"
          note={layout?.kind ? "yours" : "no column has it"}
          value={kind}
          options={KINDS}
          onChange={(kind) => onLayout({ kind: kind as Kind })}
        />
      )}
    </>
  );
}

/** The number of rows that show what a column contains. */
const ROWS = 3;

interface ColumnTableProps {
  readonly list: ListView;
  readonly onRole: (at: number, role: ListColumn | null) => void;
}

function ColumnTable({ list, onRole }: ColumnTableProps) {
  const { columns, names, rows } = list;
  return (
    <Scroll label="Columns">
      <table className="draft-table draft-columns">
        <thead>
          <tr>
            {columns.map((role, at) => (
              <th key={at} scope="col">
                <select
                  className="field"
                  aria-label={`Column ${at + 1}${names?.[at] ? `, ${names[at]}` : ""}, is`}
                  value={role ?? ""}
                  onChange={({ target: { value } }) =>
                    onRole(at, value === "" ? null : (value as ListColumn))
                  }
                >
                  <option value="">not used by accesses</option>
                  {LIST_COLUMNS.map(({ value, word }) => (
                    <option key={value} value={value}>
                      {word}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...(names ? [names] : []), ...rows.slice(0, ROWS)].map((row, i) => (
            <tr key={i} className={names && i === 0 ? "t2" : undefined}>
              {columns.map((_, at) => (
                <td key={at} className="mono">
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
