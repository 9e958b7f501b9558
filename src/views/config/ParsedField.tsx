import { useContext, useEffect, useState } from "react";
import { Cell } from "./Cell";
import type { CellProps } from "./Cell";
import { TypedContext } from "./fields";

/** The value of a text, or the error in it. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

export interface ParsedFieldProps<T> extends Omit<
  CellProps,
  "children" | "value" | "modelValue"
> {
  readonly name: string;
  readonly value: T;
  readonly modelValue?: T | undefined;
  /** What an empty field means. */
  readonly empty?: string;
  readonly write: (value: T) => string;
  readonly read: (text: string) => Parsed<T>;
  readonly onChange: (value: T) => void;
}

/**
 * A short text with its own format: `9 9 9 9`. Enter and leaving the field apply it; Escape restores the old
 * value.
 */
export function ParsedField<T>(props: ParsedFieldProps<T>) {
  const { name, value, modelValue, empty, write, read, onChange, ...cell } =
    props;
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const report = useContext(TypedContext);
  const { path } = cell;
  useEffect(() => {
    if (problem === null) return;
    report(path, problem);
    return () => report(path, null);
  }, [report, path, problem]);

  const commit = () => {
    if (text === null) return;
    const parsed = read(text);
    if ("problem" in parsed) {
      setProblem(parsed.problem);
      return;
    }
    setText(null);
    if (write(parsed.value) !== write(value)) onChange(parsed.value);
  };
  const written = (each: T) => write(each) || (empty ?? "none");
  return (
    <Cell
      {...cell}
      value={written(value)}
      modelValue={
        cell.modelPath === undefined || modelValue === undefined
          ? undefined
          : written(modelValue)
      }
    >
      {(control) => (
        <input
          {...control}
          className="field config-text mono"
          spellCheck={false}
          autoComplete="off"
          aria-label={name}
          aria-invalid={control["aria-invalid"] || problem !== null}
          placeholder={empty}
          value={text ?? write(value)}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            else if (event.key === "Escape" && text !== null) {
              setText(null);
              setProblem(null);
              event.stopPropagation();
            } else return;
            event.preventDefault();
          }}
        />
      )}
    </Cell>
  );
}
