/** The gallery of experiments, or one of them. */
import { useEffect, useRef } from "react";
import { encodePermalink } from "../../model/permalink/permalink";
import { ExperimentList } from "../../views/experiments/ExperimentList";
import { KnowPage } from "../../views/experiments/KnowPage";
import { HOW_WE_KNOW } from "../../model/experiments/howWeKnow";
import { ExperimentPage } from "../../views/experiments/ExperimentPage";
import { TraceTagContext } from "../../views/shared/TraceTag";
import { useActions, useApp } from "../context";

const addressOf = (experiment?: string) =>
  `#${encodePermalink({ screen: "experiments", ...(experiment !== undefined && { experiment }) })}`;

export function ExperimentsScreen() {
  const experiments = useApp((state) => state.experiments);
  const id = useApp((state) => state.experiment);
  const shipped = useApp((state) => state.shipped);
  const states = useApp((state) => state.experimentStates);
  const actions = useActions();
  const top = useTopOf(id);
  const oracles = useApp((state) => state.oracles);
  const oracleStates = useApp((state) => state.oracleStates);
  const info = experiments?.find((each) => each.id === id);
  if (id === HOW_WE_KNOW)
    return (
      <div ref={top}>
        <KnowPage
          oracles={oracles}
          states={oracleStates}
          listAddress={addressOf()}
        />
      </div>
    );
  if (id !== undefined && experiments && !info)
    return (
      <div className="gallery" ref={top}>
        <div className="gallery-head">
          <h2 className="experiment-title" tabIndex={-1}>
            There is no experiment “{id}”
          </h2>
          <a className="btn" href={addressOf()}>
            See all experiments
          </a>
        </div>
      </div>
    );
  return (
    <div ref={top}>
      {/* Experiments have their own traces, so the tag of the open trace does not apply. */}
      <TraceTagContext value={null}>
        {info ? (
          <ExperimentPage
            // Typed and shown texts belong to one experiment, so another one starts fresh.
            key={info.id}
            info={info}
            shipped={shipped[info.id]}
            state={states[info.id]}
            listAddress={addressOf()}
            onRun={() => void actions.runExperiment(info.id)}
            onCancel={() => actions.cancelExperiment(info.id)}
            onOpen={(part) => void actions.openPart(part)}
          />
        ) : (
          <ExperimentList
            experiments={id === undefined ? experiments : undefined}
            shipped={shipped}
            states={states}
            addressOf={addressOf}
            knowAddress={addressOf(HOW_WE_KNOW)}
            onRunAll={() => void actions.runExperiments()}
            onCancelAll={actions.cancelExperiments}
          />
        )}
      </TraceTagContext>
    </div>
  );
}

/** A new page starts at its top, with the focus on its title for keyboards and screen readers. */
function useTopOf(id: string | undefined) {
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    window.scrollTo(0, 0);
    top.current
      ?.querySelector<HTMLElement>(".experiment-title")
      ?.focus({ preventScroll: true });
  }, [id]);
  return top;
}
