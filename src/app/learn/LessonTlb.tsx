/** The TLB of a step. A press answers a question about it, or shows a set; the table below lists the entries of the set. */
import { useState } from "react";
import { answerAt, spotOf } from "../../model/learn/pictureAnswer";
import type { AskedArray } from "../../model/learn/pictureAnswer";
import { marksNext } from "../../model/learn/picture";
import type { Picture } from "../../model/learn/picture";
import { noTranslation } from "../../model/replay/noTranslation";
import { eventIn, usedArray } from "../../model/tlb/event";
import { inWords } from "../../model/tlb/names";
import { isWalkCacheRole } from "../../model/tlb/tabs";
import type { WholeRun } from "../../model/learn/whole";
import type { Place } from "../../views/tlb/place";
import { PlainContext } from "../../views/shared/plain";
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
  /** Whether the reader may look into all arrays and walk caches. */
  readonly all?: boolean | undefined;
}

export function LessonTlb(props: LessonTlbProps) {
  const { picture, regions, phone, question, asked, all = false } = props;
  const { machine, seen, columns, isAsking } = picture;
  const [picked, setPicked] = useState<Place | null>(null);
  const [tab, setTab] = useState<number | null>(null);
  const translation = seen.translations[0] ?? noTranslation(seen);
  const first = picture.structure;
  const structure =
    tab ?? first ?? usedArray(translation, machine, seen.access.kind);
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
  // The second level is below the first one.
  const listed = isOpen ? structure : (picked?.structure ?? structure);
  const view = machine.structures[listed];
  const content = columns[listed];
  // A set that the question does not name stays closed until it is answered.
  const looked = isAsking
    ? isAsked
      ? asked.set
      : null
    : eventIn(translation, machine, listed, seen.access.kind, seen).set;
  const set =
    (isOpen ? (asked.set ?? guess?.set) : picked?.set) ??
    looked ??
    (view?.sets === 1 ? 0 : null);
  const panel = (
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
      onPin={setTab}
      {...((all || first !== undefined) && { pinned: tab ?? first ?? null })}
    />
  );
  return (
    <>
      {all ? (
        <div className="lesson-arrays">
          <PlainContext value={false}>{panel}</PlainContext>
        </div>
      ) : (
        panel
      )}
      {content && marksNext(content) ? <NextLegend /> : null}
      {view &&
      content &&
      set !== null &&
      set < view.sets &&
      !isWalkCacheRole(machine, listed) ? (
        <SetTable
          view={inWords(view, machine, listed)}
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
