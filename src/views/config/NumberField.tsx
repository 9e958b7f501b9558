import { useContext, useEffect, useState } from "react";
import { Cell } from "./Cell";
import type { CellProps } from "./Cell";
import { TypedContext } from "./fields";

export interface NumberFieldProps extends Omit<
  CellProps,
  "children" | "value" | "modelValue"
> {
  /** The label for screen readers: "ways of L1 dTLB 4K". */
  readonly name: string;
  readonly value: number | undefined;
  readonly modelValue?: number | undefined;
  /** What an empty field means; without it, a field cannot be empty. */
  readonly empty?: string;
  readonly onChange: (value: number | undefined) => void;
  /** The next sensible value upwards (1) or downwards (-1), for the arrow keys. */
  readonly stepped?: (value: number, direction: 1 | -1) => number;
}

/** A whole number. Enter, leaving the field and the arrow keys apply it; Escape restores the old value. */
export function NumberField(props: NumberFieldProps) {
  const { name, value, modelValue, empty, onChange, stepped, ...cell } = props;
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (value === undefined ? "" : String(value));
  const parsed = parse(shown, empty !== undefined);
  const [isErrorShown, setIsErrorShown] = useState(false);
  const report = useContext(TypedContext);
  const problem =
    parsed === "wrong" && isErrorShown ? problemOf(shown, empty) : null;
  const { path } = cell;
  useEffect(() => {
    if (problem === null) return;
    report(path, problem);
    return () => report(path, null);
  }, [report, path, problem]);

  const commit = () => {
    if (text === null) return;
    // The error appears when the user applies the text, not while the user types.
    setIsErrorShown(true);
    if (parsed === "wrong") return;
    setText(null);
    if (parsed !== value) onChange(parsed);
  };
  const step = (direction: 1 | -1) => {
    if (parsed === "wrong" || parsed === undefined) return;
    const next = stepped?.(parsed, direction) ?? parsed + direction;
    setText(null);
    if (next >= 0) onChange(next);
  };
  return (
    <Cell
      {...cell}
      value={written(value, empty)}
      modelValue={
        cell.modelPath === undefined ? undefined : written(modelValue, empty)
      }
    >
      {(control) => (
        <input
          {...control}
          className="field config-number"
          inputMode="numeric"
          autoComplete="off"
          aria-label={name}
          aria-invalid={control["aria-invalid"] || parsed === "wrong"}
          placeholder={empty}
          value={shown}
          onChange={(event) => {
            setText(event.target.value);
            setIsErrorShown(false);
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            else if (event.key === "ArrowUp") step(1);
            else if (event.key === "ArrowDown") step(-1);
            else if (event.key === "Escape" && text !== null) {
              setText(null);
              event.stopPropagation();
            } else return;
            event.preventDefault();
          }}
        />
      )}
    </Cell>
  );
}

function written(value: number | undefined, empty: string | undefined): string {
  return value === undefined ? (empty ?? "nothing") : String(value);
}

function problemOf(text: string, empty: string | undefined): string {
  const what =
    text.trim() === "" ? "A number is missing" : `“${text}” is not a number`;
  const or = empty === undefined ? "" : `, or leave it empty for “${empty}”`;
  return `${what}: write a whole number such as 64${or}.`;
}

function parse(
  text: string,
  mayBeEmpty: boolean,
): number | undefined | "wrong" {
  const digits = text.replaceAll(/[\s,_]/g, "");
  if (digits === "") return mayBeEmpty ? undefined : "wrong";
  return /^\d{1,15}$/.test(digits) ? Number(digits) : "wrong";
}
