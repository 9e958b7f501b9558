/** The interval of the cycles of a machine, asked while it is shown: its many runs end with the picture. */
import { useEffect } from "react";
import type { Setup } from "../../engine/engine";
import type { UncertaintyReport } from "../../engine/generated/UncertaintyReport";
import { cpuOf } from "../../model/config/cpus";
import { uncertaintyQuestion } from "../../model/totals/uncertainty";
import type { UncertaintyQuestion } from "../../model/totals/uncertainty";
import { keyOf } from "../../model/whatif/questions";
import type { Asked } from "../../model/whatif/questions";
import { useActions, useApp } from "../context";
import { useAnswer } from "../whatif/useAsked";

export interface Uncertainty {
  /** Whether the machine comes from a CPU model, whose numbers have marks. */
  readonly isModel: boolean;
  readonly asked: Asked<UncertaintyReport> | undefined;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

/** Without a setup, nothing is asked. */
export function useUncertainty(setup: Setup | undefined): Uncertainty {
  const cpu = useApp((state) => state.configuration?.cpu);
  const cpus = useApp((state) => state.cpus);
  const { ask, cancelAsked } = useActions();
  const question =
    setup && cpu !== undefined
      ? uncertaintyQuestion(cpu, setup, cpuOf(cpus, cpu))
      : undefined;
  const asked = useAnswer(question);
  const key = question && keyOf(question);
  useEffect(() => {
    if (key === undefined) return undefined;
    return () => void cancelAsked([JSON.parse(key) as UncertaintyQuestion]);
  }, [cancelAsked, key]);
  return {
    isModel: question !== undefined,
    asked,
    onCancel: () => {
      if (question) void cancelAsked([question]);
    },
    onAgain: () => {
      if (question) void ask(question);
    },
  };
}
