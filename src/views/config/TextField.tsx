import { useState } from "react";
import { Cell } from "./Cell";
import type { CellProps } from "./Cell";

export interface TextFieldProps extends Omit<CellProps, "children"> {
  readonly name: string;
  readonly mono?: boolean;
  readonly onChange: (value: string) => void;
}

/** A short text. Enter and leaving the field apply it; Escape restores the old value. */
export function TextField(props: TextFieldProps) {
  const { name, mono = false, onChange, ...cell } = props;
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text === null) return;
    setText(null);
    if (text.trim() !== cell.value) onChange(text.trim());
  };
  return (
    <Cell {...cell}>
      {(control) => (
        <input
          {...control}
          className={mono ? "field config-text mono" : "field config-text"}
          spellCheck={false}
          autoComplete="off"
          aria-label={name}
          value={text ?? cell.value}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
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
