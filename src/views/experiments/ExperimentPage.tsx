/** One experiment: its question and method on the left, its results on the right. */
import { useRef, useState } from "react";
import type { ExperimentInfo } from "../../engine/generated/ExperimentInfo";
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import type { Part } from "../../engine/generated/Part";
import type { Source } from "../../engine/generated/Source";
import { isUnderWay, shownResult } from "../../model/experiments/state";
import type {
  ExperimentState,
  ShownResult,
} from "../../model/experiments/state";
import { CommandLine } from "../shared/CommandLine";
import { Icon } from "../shared/Icon";
import { ProgressBar } from "../shared/Progress";
import { PartPicker } from "./PartPicker";
import { Results } from "./Results";
import { Words } from "./Words";
import { RunControl } from "./RunControl";
import "../shared/splitPage.css";
import "./experiments.css";

export interface ExperimentPageProps {
  readonly info: ExperimentInfo;
  /** The result that this version ships. */
  readonly shipped: ExperimentResult | undefined;
  readonly state: ExperimentState | undefined;
  /** The link to the list of experiments. */
  readonly listAddress: string;
  readonly onRun: () => void;
  readonly onCancel: () => void;
  readonly onOpen: (part: Part) => void;
}

export function ExperimentPage(props: ExperimentPageProps) {
  const { info, shipped, state, listAddress } = props;
  const { onRun, onCancel, onOpen } = props;
  const shown = useShown(state, shipped);
  const result = shown?.result;
  const results = useRef<HTMLElement>(null);
  return (
    <div className="split-page" data-testid="experiment">
      <section className="split-text" aria-label="The experiment">
        <a className="experiment-back t2" href={listAddress}>
          <Icon name="chevron-left" size={14} /> All experiments
        </a>
        <h2 className="experiment-title" tabIndex={-1}>
          {info.title}
        </h2>
        <p className="experiment-question">{info.question}</p>
        <RunControl
          state={state}
          shown={shown}
          onRun={onRun}
          onCancel={onCancel}
          onShow={() => results.current?.scrollIntoView()}
        />
        <dl className="experiment-facts">
          <Fact name="Machine" text={info.machine} />
          <Fact name="Memory" text={info.policy} />
          <Fact name="Method" text={info.method} />
          <div>
            <dt>Sources</dt>
            {info.sources.map((source) => (
              <dd key={source.id}>
                <Publication {...source} />
              </dd>
            ))}
          </div>
        </dl>
        {result && result.parts.length > 0 ? (
          <PartPicker
            experiment={info.id}
            parts={result.parts}
            onOpen={onOpen}
          />
        ) : null}
        <CommandLine
          text={`pagewalk experiment ${info.id}`}
          what={info.title}
        />
      </section>
      <section
        ref={results}
        className="split-results"
        aria-label="Results"
        aria-busy={isUnderWay(state)}
      >
        <div className="split-bar">
          {isUnderWay(state) ? (
            <ProgressBar
              label={info.title}
              {...(state?.status === "running" ? state.progress : { done: 0 })}
            />
          ) : null}
        </div>
        {result ? <Results result={result} /> : <NoResults state={state} />}
      </section>
    </div>
  );
}

function Publication({ id, title, url, date, machine }: Source) {
  return (
    <>
      <span className="mono">{id}</span>{" "}
      {url === undefined ? (
        title
      ) : (
        <a href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      )}
      <span className="experiment-source t3 small">
        Date: {date}. Machine: {machine}.
      </span>
    </>
  );
}

function Fact({
  name,
  text,
}: {
  readonly name: string;
  readonly text: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Words text={text} />
      </dd>
    </div>
  );
}

/** The frame of a chart with a sentence in it. */
function NoResults({ state }: { readonly state: ExperimentState | undefined }) {
  return (
    <div className="experiment-empty">
      <div className="experiment-frame">
        <p className="t2">{emptyText(state)}</p>
      </div>
    </div>
  );
}

function emptyText(state: ExperimentState | undefined): string {
  switch (state?.status) {
    case "waiting":
    case "running":
      return "The simulated numbers will appear here, next to the published ones.";
    case "cancelled":
      return "Cancelled before there was a result.";
    case "failed":
      return "The run ended without a result.";
    case "done":
      return "";
    case undefined:
      return "Not run yet. Run it to compare simulated numbers with the published ones.";
  }
}

/** Keeps the previous result of this browser while the experiment runs again. */
function useShown(
  state: ExperimentState | undefined,
  shipped: ExperimentResult | undefined,
): ShownResult | undefined {
  const [last, setLast] = useState(state);
  if (state?.status === "done" && state !== last) setLast(state);
  return shownResult(isUnderWay(state) ? last : state, shipped);
}
