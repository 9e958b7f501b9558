/** The counters of perf stat, compared with the open run. */
import { useEffect } from "react";
import { EVENT_FAMILIES } from "../../engine/generated/eventFamilies";
import { STAT_EXAMPLES } from "../../model/measured/examples";
import { encodePermalink } from "../../model/permalink/permalink";
import { completenessWord } from "../../model/import/traceText";
import { replayPage } from "../../state/selectors";
import type { AppState } from "../../state/store";
import { MeasuredPage } from "../../views/measured/MeasuredPage";
import { useActions, useApp } from "../context";

export function MeasuredScreen() {
  const given = useApp((state) => state.measured);
  const run = useApp(runText);
  const vendor = useApp(vendorOf);
  const replay = useApp((state) => encodePermalink(replayPage(state)));
  const actions = useActions();
  const text = given?.text;
  const report = useApp((state) => state.report);
  const stale = useApp((state) => state.stale);
  const cpu = useApp((state) => state.configuration?.cpu);
  // After another run, the counters are compared with its numbers.
  useEffect(() => {
    void actions.measure();
  }, [actions, text, report, stale, cpu]);
  return (
    <MeasuredPage
      given={
        given && {
          ...given,
          example: STAT_EXAMPLES.find(({ id }) => id === given.example),
        }
      }
      families={EVENT_FAMILIES}
      run={run}
      replayAddress={`#${replay}`}
      vendor={vendor}
      examples={STAT_EXAMPLES}
      onText={(pasted) => void actions.openMeasured("pasted text", pasted)}
      onFile={(file) => void actions.openMeasured(file.name, file)}
      onExample={({ id }) => void actions.openStatExample(id)}
      onFamily={(family) => void actions.chooseFamily(family)}
      onClear={() => void actions.clearMeasured()}
    />
  );
}

/** The trace, its completeness, and the machine. */
function runText(state: AppState): string | undefined {
  const { trace, report, stale, cpus, configuration } = state;
  if (!trace || !report || stale || !configuration) return undefined;
  const { completeness, format, part } = trace.import;
  const cpu = cpus.find(({ id }) => id === configuration.cpu);
  const isPart = part ?? configuration.setup.window !== undefined;
  return `${trace.name} (${completenessWord(completeness, format, isPart)}) on ${cpu?.name ?? configuration.cpu}`;
}

function vendorOf({ configuration }: AppState) {
  const [vendor] = configuration?.cpu.split("-") ?? [];
  if (vendor === "intel") return "intel";
  if (vendor === "amd" || vendor === "hygon") return "amd";
  return ["arm", "apple", "huawei", "qualcomm"].includes(vendor ?? "")
    ? "arm"
    : "any";
}
