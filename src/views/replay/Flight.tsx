/**
 * Shows where a translation goes: a small mark flies from where it was found (the walk's leaf entry, or the
 * second level) to the slot that it fills. The pictures mark both ends with `data-flight`. Nothing flies if
 * the token `--t-fly` is 0 (reduced motion).
 */
import { useEffect, useRef } from "react";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { hexTail } from "../../model/shared/hex";
import { outcomeToken } from "../../model/shared/outcome";
import type { Milliseconds } from "../../model/shared/units";

export interface FlightProps {
  readonly step: StepView;
  readonly translation: TranslationView;
}

export function Flight({ step, translation }: FlightProps) {
  const last = useRef(step.index);
  useEffect(() => {
    if (last.current === step.index) return;
    last.current = step.index;
    const { outcome } = translation;
    if (outcome === "l1-hit") return;
    const from = end(outcome === "l2-hit" ? "l2" : "walk");
    const to = (outcome === "l2-hit" ? ["l1"] : ["l1", "l2"]).map(end);
    if (!from) return;
    const marks = to
      .filter((target) => target !== null)
      .map((target) => launch(from, target, translation));
    return () => marks.forEach((mark) => mark?.remove());
  }, [step.index, translation]);
  return null;
}

const end = (name: string) => document.querySelector(`[data-flight="${name}"]`);

/** Reads the token's duration in milliseconds. */
function duration(): Milliseconds {
  const text = getComputedStyle(document.documentElement).getPropertyValue(
    "--t-fly",
  );
  const value = Number.parseFloat(text);
  return Number.isNaN(value)
    ? 0
    : text.trim().endsWith("ms")
      ? value
      : value * 1000;
}

/** Starts one mark; it removes itself on arrival. */
function launch(
  from: Element,
  to: Element,
  { outcome, page_number }: TranslationView,
): HTMLElement | null {
  const time = duration();
  const start = from.getBoundingClientRect();
  const goal = to.getBoundingClientRect();
  // jsdom cannot animate.
  if (time === 0 || start.width === 0 || !("animate" in from)) return null;
  const mark = document.createElement("div");
  mark.className = "access-flight";
  mark.textContent = hexTail(page_number, 3);
  mark.style.borderColor = `var(${outcomeToken(outcome)})`;
  mark.style.background = `var(${outcomeToken(outcome, "soft")})`;
  mark.style.color = `var(${outcomeToken(outcome, "ink")})`;
  mark.setAttribute("aria-hidden", "true");
  document.body.append(mark);
  const at = (box: DOMRect) =>
    `translate(${Math.round(box.left + box.width / 2)}px, ${Math.round(box.top + box.height / 2)}px) translate(-50%, -50%)`;
  const flight = mark.animate(
    [
      { transform: at(start), opacity: 0.4 },
      { transform: at(goal), opacity: 1 },
    ],
    { duration: time, easing: "cubic-bezier(.2, 0, 0, 1)" },
  );
  flight.onfinish = () => mark.remove();
  return mark;
}
