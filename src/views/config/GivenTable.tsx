/** One table of given state: rows of hexadecimal cells, and a field to paste the rows of a book. */
import { useId, useState } from "react";
import type { CSSProperties } from "react";
import type { GivenEntry } from "../../engine/generated/GivenEntry";
import type { GivenPage } from "../../engine/generated/GivenPage";
import { cellOf, withCell, withValid } from "../../model/config/given";
import type { Column, ReadRows } from "../../model/config/given";
import { Icon } from "../shared/Icon";
import { RowProblems } from "./RowProblems";
import { TextField } from "./TextField";

export interface GivenTableProps<Row extends GivenPage | GivenEntry> {
  /** Path of the rows: `os.given.pages`. */
  readonly path: string;
  readonly title: string;
  /** The name of a row: `page` or `entry`. */
  readonly noun: string;
  readonly columns: readonly Column<string>[];
  readonly rows: readonly Row[];
  readonly added: Row;
  /** The rows of a textbook, as an example for the field. */
  readonly example: string;
  readonly read: (text: string) => ReadRows<Row>;
  readonly onChange: (rows: Row[]) => void;
}

export function GivenTable<Row extends GivenPage | GivenEntry>(
  props: GivenTableProps<Row>,
) {
  const { path, title, noun, columns, rows, added, onChange } = props;
  const [isPasting, setIsPasting] = useState(false);
  const style = { "--n-cells": columns.length } as CSSProperties;
  return (
    <div className="config-inset" data-testid={path}>
      <div className="config-head">
        <h4>{title}</h4>
        <button
          type="button"
          className="btn"
          aria-expanded={isPasting}
          onClick={() => setIsPasting(!isPasting)}
        >
          Paste a table
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => onChange([...rows, added])}
        >
          <Icon name="plus" /> Add {noun === "entry" ? "an" : "a"} {noun}
        </button>
      </div>
      {isPasting ? (
        <PasteRows
          title={title}
          example={props.example}
          read={props.read}
          onRead={(found) => {
            onChange([...found]);
            setIsPasting(false);
          }}
        />
      ) : null}
      {rows.length === 0 ? null : (
        <div
          className="config-columns config-given"
          style={style}
          aria-hidden="true"
        >
          {[...columns.map(({ label }) => label), "valid"].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
      )}
      <ul className="config-rows">
        {rows.map((row, at) => (
          <GivenRow
            key={at}
            path={`${path}[${at}]`}
            name={`${noun} ${at}`}
            columns={columns}
            row={row}
            onChange={(next) => onChange(rows.with(at, next))}
            onRemove={() => onChange(rows.filter((_, other) => other !== at))}
          />
        ))}
      </ul>
    </div>
  );
}

interface GivenRowProps<Row> {
  readonly path: string;
  readonly name: string;
  readonly columns: readonly Column<string>[];
  readonly row: Row;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

function GivenRow<Row extends GivenPage | GivenEntry>(
  props: GivenRowProps<Row>,
) {
  const { path, name, columns, row, onChange, onRemove } = props;
  return (
    <li className="config-row" data-testid={path}>
      <div
        className="config-fields config-given"
        style={{ "--n-cells": columns.length } as CSSProperties}
      >
        {columns.map(({ key, label, help }) => (
          <TextField
            key={key}
            path={`${path}.${key}`}
            label={label}
            name={`${label} of ${name}`}
            help={help}
            mono
            value={cellOf(row, key)}
            onChange={(text) => onChange(withCell(row, key, text))}
          />
        ))}
        <label className="config-check">
          <input
            type="checkbox"
            aria-label={`Whether ${name} is valid`}
            checked={row.valid !== false}
            onChange={(event) => onChange(withValid(row, event.target.checked))}
          />
          <span className="config-cell-label">valid</span>
        </label>
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      <RowProblems path={path} />
    </li>
  );
}

interface PasteRowsProps<Row> {
  readonly title: string;
  readonly example: string;
  readonly read: (text: string) => ReadRows<Row>;
  readonly onRead: (rows: readonly Row[]) => void;
}

/** The rows replace those of the table; undo restores them. */
function PasteRows<Row>(props: PasteRowsProps<Row>) {
  const { title, example, read, onRead } = props;
  const id = useId();
  const [text, setText] = useState("");
  const [message, setMessage] = useState<string | null>(null);
  return (
    <div className="config-paste">
      <textarea
        className="field mono"
        aria-label={`Rows of the ${title}`}
        aria-invalid={message !== null}
        aria-describedby={message === null ? undefined : id}
        spellCheck={false}
        rows={5}
        placeholder={example}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setMessage(null);
        }}
      />
      {message === null ? null : (
        <p id={id} className="problem" role="alert">
          {message}
        </p>
      )}
      <button
        type="button"
        className="btn"
        disabled={text.trim() === ""}
        onClick={() => {
          const found = read(text);
          if ("rows" in found) onRead(found.rows);
          else setMessage(found.message);
        }}
      >
        Replace the rows
      </button>
    </div>
  );
}
