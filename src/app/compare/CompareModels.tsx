/** All CPU models on the open trace. */
import { useEffect } from "react";
import { fileName } from "../../model/shared/csv";
import { modelRow } from "../../model/compare/leaderboard";
import { Leaderboard } from "../../views/compare/Leaderboard";
import { useActions, useApp } from "../context";

export function CompareModels() {
  const cpus = useApp((state) => state.cpus);
  const models = useApp((state) => state.compare.models);
  const trace = useApp((state) => state.trace);
  const configuration = useApp((state) => state.configuration);
  const stale = useApp((state) => state.stale);
  const { runModels, cancelModels, rerunModels, chooseRight, openAsReplay } =
    useActions();
  useEffect(() => {
    void runModels();
  }, [runModels, trace, configuration, stale]);
  if (!models || models.trace !== trace || !configuration)
    return <p className="compare-note">The models run after the replay.</p>;
  const find = (cpu: string) =>
    models.runs.find((run) => run.configuration.cpu === cpu)?.configuration;
  return (
    <Leaderboard
      rows={models.runs.map((run) =>
        modelRow(cpus, run.configuration, run, configuration),
      )}
      total={models.total}
      status={models.status}
      problem={models.problem}
      current={configuration.cpu}
      file={fileName(trace.name, "cpu models")}
      onCancel={cancelModels}
      onAgain={() => void rerunModels()}
      onReplay={(cpu) => {
        const run = find(cpu);
        if (run) void openAsReplay(run);
      }}
      onCompare={(cpu) => {
        const run = find(cpu);
        if (run) void chooseRight({ cpu, os: run.setup.os });
      }}
    />
  );
}
