/** The parts of the replay that a reader can go to directly. */
export const PARTS = {
  picture: ".replay-panels [tabindex='0']",
  timeline: ".replay-timeline [tabindex='0']",
  /** The pictures as a whole: no key means something else there. */
  pictures: ".replay-panels",
} as const;

/** Moves the focus to a part, if it is on the screen. */
export function focusPart(part: keyof typeof PARTS): void {
  const found = document.querySelector(PARTS[part]);
  if (found instanceof HTMLElement || found instanceof SVGElement)
    found.focus();
}
