/** The page "How we know": statements with known answers, and whether the simulator gives them. */
import type { Basis } from "../../engine/generated/Basis";
import type { OracleInfo } from "../../engine/generated/OracleInfo";
import type { OracleResult } from "../../engine/generated/OracleResult";
import { count, counted } from "../shared/format";

export type OracleState =
  | { readonly status: "done"; readonly result: OracleResult }
  | { readonly status: "failed"; readonly why: string };

export const BASES: Readonly<Record<Basis, string>> = {
  manual: "a manual's rule",
  published: "a printed answer",
  derived: "derived on paper",
  expected: "our expectation",
  transcription: "transcription of the model's numbers",
};

/** `36 checks agree`, or `1 of 36 checks differs`. */
export function resultText({ checks, agrees }: OracleResult): string {
  const n = checks.length;
  const differing = checks.filter((check) => !check.agrees).length;
  if (agrees) return agreeText(n);
  return `${count(differing)} of ${counted(n, "check")} ${differing === 1 ? "differs" : "differ"}`;
}

function agreeText(n: number): string {
  return `${counted(n, "check")} ${n === 1 ? "agrees" : "agree"}`;
}

/** The sum over all statements: `51 of 51 statements checked: 412 checks agree, none differs`. */
export function sumText(
  oracles: readonly OracleInfo[],
  states: Readonly<Record<number, OracleState>>,
): string {
  const done = oracles.flatMap(({ number }) => states[number] ?? []);
  const checks = done.flatMap((state) =>
    state.status === "done" ? state.result.checks : [],
  );
  const agree = checks.filter((check) => check.agrees).length;
  const differ = checks.length - agree;
  const apart = oracles.flatMap(({ number, basis }) => {
    const state = states[number];
    const isApart = basis === "transcription" || basis === "expected";
    return isApart && state?.status === "done" ? state.result.checks : [];
  }).length;
  const failed = done.filter((state) => state.status === "failed").length;
  return [
    `${count(done.length)} of ${counted(oracles.length, "statement")} checked: ${agreeText(agree)}`,
    differ === 0
      ? "none differs"
      : `${count(differ)} ${differ === 1 ? "differs" : "differ"}`,
    ...(apart === 0
      ? []
      : [
          apart === 1
            ? "1 is a transcription or our expectation"
            : `${count(apart)} are transcriptions or our expectation`,
        ]),
    ...(failed === 0 ? [] : [`${count(failed)} could not run`]),
  ].join(", ");
}
