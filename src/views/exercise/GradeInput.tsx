/** Takes the exercise, and then the answers: from files, or pasted. */
import { useState } from "react";

export interface GradeInputProps {
  /** The text above the field. */
  readonly label: string;
  readonly about: string;
  /** The text of the button for what was pasted. */
  readonly act: string;
  readonly accept: string;
  readonly isLarge: boolean;
  readonly onText: (text: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

export function GradeInput(props: GradeInputProps) {
  const { label, about, act, accept, isLarge, onText, onFiles } = props;
  const [text, setText] = useState("");
  const isEmpty = text.trim() === "";
  return (
    <form
      className="grade-input"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        onText(text);
        setText("");
      }}
    >
      <label>
        <span>{label}</span>
        <textarea
          className="field mono"
          rows={isLarge ? 5 : 2}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p className="t2">{about}</p>
      <div className="exercise-buttons">
        <button type="submit" className="btn primary" aria-disabled={isEmpty}>
          {act}
        </button>
        <label className="btn exercise-file">
          Choose files
          <input
            type="file"
            multiple
            accept={accept}
            onChange={({ target }) => {
              onFiles([...(target.files ?? [])]);
              target.value = "";
            }}
          />
        </label>
        <span className="t2">or drop files anywhere on the page</span>
      </div>
    </form>
  );
}
