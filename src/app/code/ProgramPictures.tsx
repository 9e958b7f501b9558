/** The pictures of a program's last run: outcomes and addresses over time, the access at the cursor, and misses. */
import { Suspense, lazy } from "react";
import type { ProgramSlot } from "../../model/code/code";
import { isStale, programAt, sameSetup } from "../../model/code/code";
import { accessAt } from "../../model/code/places";
import { cropFor } from "../../model/timeline/scale";
import type { AppState } from "../../state/store";
import { ProgramCursor } from "../../views/code/ProgramCursor";
import { TimelinePanel } from "../../views/timeline/TimelinePanel";
import { useActions, useApp } from "../context";
import { useIsPhone } from "../shared/useMedia";

const AttributionTables = lazy(() =>
  import("../../views/attribution/AttributionTables").then((module) => ({
    default: module.AttributionTables,
  })),
);

export function ProgramPictures({ slot }: { readonly slot: ProgramSlot }) {
  const program = useApp((state) => programAt(state.codeScreen, slot));
  const at = useApp((state) => state.codeScreen?.at ?? 0);
  const isPair = useApp((state) => state.codeScreen?.programs.length === 2);
  const setup = useApp((state) => state.configuration?.setup);
  const cropTo = useApp(sharedCrop);
  const actions = useActions();
  const compact = useIsPhone();
  if (!program) return null;
  const { shown, run, waits } = program;
  const n = shown?.trace.n_accesses ?? 0;
  const showOnly = actions.showOnlyOfProgram;
  return (
    <>
      <div className="code-timeline" data-testid={`timeline ${slot}`}>
        <TimelinePanel
          timeline={shown?.timeline ?? null}
          nAccesses={n}
          cursor={accessAt(at, n)}
          stale={isStale(program, setup) && !sameSetup(shown?.setup, setup)}
          isLoading={run?.status === "running" && !shown}
          cropTo={cropTo}
          compact={compact}
          empty={
            run?.status === "failed" ? (
              `The code ${run.problem.hasRun ? "left no accesses to show" : "did not run"}: the editor says why.`
            ) : run || waits === "screen" ? (
              "Running …"
            ) : (
              <Prompt
                hasButton={waits !== "reader" && !isPair}
                onRun={() => void actions.runProgram(slot)}
              />
            )
          }
          only={
            shown?.only && {
              label: shown.only.label,
              onAll: () => void showOnly(slot, undefined),
            }
          }
          onSeek={(access) => void actions.goToOfProgram(slot, access)}
          onBrush={(from, to) =>
            void actions.openProgramWindow(slot, { from, to })
          }
          onReset={() => void actions.openProgramWindow(slot)}
          onGrid={(grid) => void actions.setProgramGrid(slot, grid)}
        />
      </div>
      {shown ? (
        <>
          <ProgramCursor
            shown={shown}
            onGoTo={(access) => void actions.goToOfProgram(slot, access)}
          />
          <div className="code-breakdown">
            <Suspense>
              <AttributionTables
                view={shown.attribution}
                progress={program.counting}
                filter={shown.only}
                onFilter={(filter) => void showOnly(slot, filter)}
              />
            </Suspense>
          </div>
        </>
      ) : null}
    </>
  );
}

interface PromptProps {
  /** Missing if the same button stands elsewhere: for code of a link, and for two programs. */
  readonly hasButton: boolean;
  readonly onRun: () => void;
}

function Prompt({ hasButton, onRun }: PromptProps) {
  return (
    <>
      The code has not run yet.{" "}
      {hasButton ? (
        <button type="button" className="btn" onClick={onRun}>
          Run it
        </button>
      ) : null}
    </>
  );
}

/** Two programs share the outcome axis; a program alone has its own. */
function sharedCrop({ codeScreen }: AppState): number | undefined {
  const [first, second] = codeScreen?.programs ?? [];
  if (!first?.shown || !second?.shown) return undefined;
  return Math.max(
    cropFor(first.shown.timeline),
    cropFor(second.shown.timeline),
  );
}
