/** The programs of a lesson, next to each other. */
import type { SayLearn } from "../../model/learn/question";
import type { LoopCode } from "../../model/loop/loop";
import type { Language } from "../../model/texts/language";

export interface LoopTextsProps {
  readonly say: SayLearn;
  readonly language: Language;
  readonly programs: readonly LoopCode[];
  /** Opens them on the screen Loop, where they run and can be changed. */
  readonly onOpen: () => void;
}

export function LoopTexts({ say, language, programs, onOpen }: LoopTextsProps) {
  return (
    <section
      className="lesson-loops"
      lang={language}
      aria-label={say("programs")}
    >
      {programs.map(({ name, code }) => (
        <figure key={name} lang="en">
          <figcaption>{name}</figcaption>
          <pre>{withoutComments(code)}</pre>
        </figure>
      ))}
      <button type="button" className="btn" onClick={onOpen}>
        {say("runPrograms")}
      </button>
    </section>
  );
}

/** The text of the lesson says what the comments of an example do. */
function withoutComments(code: string): string {
  return code.replaceAll(/^\/\/.*\n/gm, "").trim();
}
