/** “Ask about this”: makes an exercise from the replay, with a preview, a link, a file and sheets. */
import { use, useEffect, useMemo, useState } from "react";
import { aboutOf, draftProblem } from "../../model/exercise/draft";
import type { Draft } from "../../model/exercise/draft";
import { draftWarnings } from "../../model/exercise/warnings";
import { askKinds, isUsed } from "../../model/exercise/kinds";
import { questionMessage } from "../../model/exercise/question";
import { textOf } from "../../model/replay/parts";
import { count } from "../../model/shared/format";
import { paragraph } from "../../model/texts/messages";
import type { MakerActions } from "../../state/exercise/bound";
import type { Made, MakeActions, Solved } from "../../state/exercise/make";
import { MakerForm } from "../../views/exercise/MakerForm";
import { Preview } from "../../views/exercise/Preview";
import { useActions, useApp } from "../context";
import { Modal } from "../shared/Modal";
import { loadExercise } from "./texts";
import { MadeLinks } from "./MadeLinks";
import { useLoaded } from "../shared/useLoaded";
import { useMade } from "./useMade";
import "../../views/exercise/exercise.css";
import "../../views/exercise/maker.css";

const FIRST: Draft = {
  title: "",
  asks: [{ kind: "outcome" }],
  where: "this",
  n: 1,
  hints: true,
  attempts: 3,
  choices: undefined,
  locked: ["totals", "timeline"],
};

export function AskDialog({ onClose }: { readonly onClose: () => void }) {
  const actions = useLoaded(useActions().exercise)?.maker;
  return (
    <Modal title="Ask about this" onClose={onClose} full>
      {actions ? <Maker actions={actions} /> : <p role="status">Opening …</p>}
    </Modal>
  );
}

function Maker({ actions }: { readonly actions: MakerActions }) {
  const machine = useApp((state) => state.machine);
  const step = useApp((state) => state.snapshot?.step);
  const at = useApp((state) => state.cursor);
  const trace = useApp((state) => state.trace?.name ?? "");
  const accesses = useApp((state) => state.trace?.n_accesses ?? 0);
  const say = use(loadExercise("en"));
  const [draft, setDraft] = useState<Draft>({ ...FIRST, title: trace });
  const [name, setName] = useState("Ada Lovelace");
  const [names, setNames] = useState("");
  const kinds = useMemo(
    () => (machine ? askKinds(machine, step) : []),
    [machine, step],
  );
  const fitting = useFitting(actions, kinds);
  const problem = draftProblem(draft);
  const warnings = draftWarnings(draft, machine?.structures ?? [], {
    accesses,
    at,
  });
  const { made, error, isStale } = useMade(
    actions,
    problem === undefined ? draft : undefined,
    name,
  );
  if (!machine)
    return <p>Open a trace in Replay first: the questions are about it.</p>;
  const textFor = ({ posed }: Solved, of: Made) => {
    const here = posed.at === step?.index ? step : undefined;
    const message = questionMessage(posed, {
      machine: of.machine,
      step: here ?? step,
    });
    return textOf(paragraph(say(message.key, message.values)));
  };
  return (
    <div className="maker">
      <MakerForm
        draft={draft}
        kinds={kinds}
        fitting={fitting}
        isNear={(ask) => isUsed(ask, machine, step)}
        at={at}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      <div className="maker-result">
        {problem === undefined ? null : (
          <p className="maker-problem">{problem}</p>
        )}
        {error === undefined || problem !== undefined ? null : (
          <p className="exercise-problem" role="alert">
            {error}
          </p>
        )}
        {warnings.length > 0 ? (
          <ul className="maker-warnings">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        ) : null}
        {made && problem === undefined ? (
          <>
            <Preview
              name={name}
              isStale={isStale}
              onName={setName}
              questions={made.questions.map((solved) => ({
                text: textFor(solved, made),
                access: `access ${count(solved.posed.at)}`,
                choices: solved.posed.choices,
                answer: solved.answer,
              }))}
            />
            <MadeLinks
              key={made.text}
              made={made}
              isStale={isStale}
              names={names}
              onNames={setNames}
              isSame={draft.asks.every(
                (ask) => aboutOf(draft, ask).where === "this",
              )}
              actions={actions}
              textFor={(solved) => textFor(solved, made)}
            />
          </>
        ) : problem === undefined && error === undefined ? (
          <p role="status">The simulator runs the exercise …</p>
        ) : null}
      </div>
    </div>
  );
}

function useFitting(
  actions: MakeActions,
  kinds: ReturnType<typeof askKinds>,
): ReadonlySet<string> | undefined {
  const [fitting, setFitting] = useState<ReadonlySet<string>>();
  useEffect(() => {
    let isHere = true;
    const asks = kinds.flatMap(({ choices }) => choices.map(({ ask }) => ask));
    void actions.askable(asks).then((good) => {
      if (isHere) setFitting(good);
    });
    return () => {
      isHere = false;
    };
  }, [actions, kinds]);
  return fitting;
}
