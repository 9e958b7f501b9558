/** The words of a lesson: nouns light their places in the picture and open their cards; numbers have equal digits. */
import { Fragment } from "react";
import type { Part } from "../../model/replay/parts";
import { Term } from "../shared/terms/Term";

export function LessonWords({ words }: { readonly words: readonly Part[] }) {
  return (
    <>
      {words.map((part, at) => {
        if (part.kind === "text")
          // The mark after a noun stands with it.
          return (
            <Text
              key={at}
              text={at === 0 ? part.text : part.text.replace(MARKS, "")}
            />
          );
        const next = words[at + 1];
        const marks =
          next?.kind === "text" ? (MARKS.exec(next.text)?.[0] ?? "") : "";
        return (
          <span key={at} className="lesson-noun">
            <Term
              term={part.term}
              objects={part.kind === "object" ? part.objects : []}
            >
              <Text text={part.text} />
            </Term>
            {marks}
          </span>
        );
      })}
    </>
  );
}

const MARKS = /^[.,;:!?)]+/;

/** Code in backticks, and hexadecimal numbers. */
const CODE = /(`[^`]+`|\b0x[0-9a-f]+\b)/i;

function Text({ text }: { readonly text: string }) {
  return text
    .replaceAll(/(\d) %/g, "$1\u00A0%")
    .split(CODE)
    .map((part, at) =>
      at % 2 === 0 ? (
        <Fragment key={at}>{part}</Fragment>
      ) : (
        <code key={at}>{part.replaceAll("`", "")}</code>
      ),
    );
}
