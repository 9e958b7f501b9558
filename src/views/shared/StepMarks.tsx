/** The marks of the steps. They are one stop of the Tab key: arrows go from mark to mark. */
import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

export interface StepMarksProps {
  readonly label?: string;
  /** The names of the steps. */
  readonly names: readonly string[];
  /** The shown step, from 0. */
  readonly at: number;
  readonly isSeen: (at: number) => boolean;
  readonly onStep: (at: number) => void;
}

export function StepMarks(props: StepMarksProps) {
  const { label, names, at, isSeen, onStep } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The focus moves with the step.
    if (!list.current?.contains(document.activeElement)) return;
    list.current.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = names.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, at - 1),
      ArrowRight: Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const to = targets[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to !== at) onStep(to);
  };
  return (
    <ol ref={list} className="lesson-steps" aria-label={label}>
      {names.map((name, step) => (
        <li key={step}>
          <button
            type="button"
            aria-label={name}
            aria-current={step === at ? "step" : undefined}
            tabIndex={step === at ? 0 : -1}
            data-seen={isSeen(step) || undefined}
            onKeyDown={onKeyDown}
            onClick={() => onStep(step)}
          />
        </li>
      ))}
    </ol>
  );
}
