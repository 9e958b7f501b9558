/** The questions of one student, with the answers, for the teacher. */

export interface PreviewQuestion {
  readonly text: string;
  readonly access: string;
  readonly choices: readonly string[];
  readonly answer: string;
}

export interface PreviewProps {
  readonly name: string;
  readonly questions: readonly PreviewQuestion[];
  readonly isStale: boolean;
  readonly onName: (name: string) => void;
}

export function Preview({ name, questions, isStale, onName }: PreviewProps) {
  return (
    <section
      className="maker-preview"
      aria-label="Preview"
      aria-busy={isStale}
      data-stale={isStale || undefined}
    >
      <label className="maker-field">
        <span>Preview for the student</span>
        <input
          className="field"
          value={name}
          maxLength={80}
          onChange={({ target }) => onName(target.value)}
        />
      </label>
      <ol>
        {questions.map(({ text, access, choices, answer }, at) => (
          <li key={at}>
            <p>{text}</p>
            <p className="t2 small">
              {access}
              {choices.length > 0 ? ` · ${choices.join(" / ")}` : ""}
            </p>
            <p>
              <code>{answer}</code>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
