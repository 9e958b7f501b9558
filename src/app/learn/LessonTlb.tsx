/** The TLB of a step. A press answers a question about it, or shows a set; the table below lists the entries of the set. */
import { useState } from "react";
import { answerAt, spotOf } from "../../model/learn/pictureAnswer";
import type { AskedArray } from "../../model/learn/pictureAnswer";
import { marksNext } from "../../model/learn/picture";
import type { Picture } from "../../model/learn/picture";
import { noTranslation } from "../../model/replay/noTranslation";
import { eventIn, usedArray } from "../../model/tlb/event";
import { inWords } from "../../model/tlb/names";
import type { WholeRun } from "../../model/learn/whole";
import type { Place } from "../../views/tlb/place";
import { NextLegend } from "../../views/tlb/NextLegend";
import { SetTable } from "../../views/tlb/SetTable";
import { TlbPanel } from "../../views/tlb/TlbPanel";
import type { PictureQuestion } from "./pictureQuestion";

export interface LessonTlbProps {
  readonly picture: Picture;
  readonly regions: WholeRun["report"]["regions"];
  readonly phone: boolean;
  readonly question: PictureQuestion | undefined;
  /** The array of the question. */
  readonly asked: AskedArray | undefined;
}

export function LessonTlb(props: LessonTlbProps) {
  const { picture, regions, phone, question, asked } = props;
  const { machine, seen, columns, isAsking } = picture;
  const [picked, setPicked] = useState<Place | null>(null);
  const translation = seen.translations[0] ?? noTranslation(seen);
  const structure =
    picture.structure ?? usedArray(translation, machine, seen.access.kind);
  const isAsked = asked?.structure === structure;
  const spot = question && isAsked ? spotOf(asked, question.given) : null;
  const guess = spot && { structure, ...spot };
  const isOpen = isAsking && question !== undefined && isAsked;
  const onPlace = (place: Place | null) => {
    if (!isOpen || !place || place.structure !== structure) setPicked(place);
    else {
      const answer = answerAt(asked, place);
      if (answer !== undefined) question.onGive(answer);
    }
  };
  const view = machine.structures[structure];
  const content = columns[structure];
  // A set that the question does not name stays closed until it is answered.
  const looked = isAsking
    ? isAsked
      ? asked.set
      : null
    : eventIn(translation, machine, structure, seen.access.kind, seen).set;
  const set =
    (isOpen ? (asked.set ?? guess?.set) : picked?.set) ??
    looked ??
    (view?.sets === 1 ? 0 : null);
  return (
    <>
      <TlbPanel
        machine={machine}
        step={seen}
        columns={columns}
        phone={phone}
        owned={{
          place: isOpen ? null : picked,
          onPlace,
          guess,
          chooses: !isOpen ? null : asked.what === "set" ? "set" : "way",
        }}
        {...(picture.structure !== undefined && { pinned: picture.structure })}
      />
      {content && marksNext(content) ? <NextLegend /> : null}
      {view && content && set !== null && set < view.sets ? (
        <SetTable
          view={inWords(view, machine, structure)}
          content={content}
          set={set}
          now={seen.index}
          // In the order of use, the last row would be the answer.
          order={asked && asked.what !== "set" ? "way" : "recency"}
          regions={regions}
        />
      ) : null}
    </>
  );
}
