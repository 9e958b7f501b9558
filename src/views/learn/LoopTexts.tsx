/** The programs of a lesson, next to each other. */
import type { LoopCode } from "../../model/loop/loop";

export interface LoopTextsProps {
  readonly programs: readonly LoopCode[];
  /** Opens them on the screen Loop, where they run and can be changed. */
  readonly onOpen: () => void;
}

export function LoopTexts({ programs, onOpen }: LoopTextsProps) {
  return (
    <section className="lesson-loops" aria-label="The programs">
      {programs.map(({ name, code }) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <pre>{withoutComments(code)}</pre>
        </figure>
      ))}
      <button type="button" className="btn" onClick={onOpen}>
        Run them on the screen Loop
      </button>
    </section>
  );
}

/** The text of the lesson says what the comments of an example do. */
function withoutComments(code: string): string {
  return code.replaceAll(/^\/\/.*\n/gm, "").trim();
}
