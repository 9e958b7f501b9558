/**
 * Hatches, which repeat the meaning of a colour. `PatternSheet` is once in the document; pictures refer to it
 * by `hatch()` and `skipHatch()`. An exported picture includes the definitions as `PatternDefs`.
 */
import type { ReactNode } from "react";
import type { Outcome } from "../../engine/generated/Outcome";
import type { SkipKind } from "../../model/walk/nested/skip";
import { outcomeColour } from "../../model/shared/outcome";

/** The fill of an area with this outcome; L1 hits have no hatch. */
export function hatch(outcome: Outcome): string {
  return outcome === "l1-hit"
    ? outcomeColour("l1-hit", "soft")
    : `url(#hatch-${outcome})`;
}

/** The fill of a reference that was skipped. */
export function skipHatch(by: SkipKind): string {
  return `url(#skip-${by === "tlb" ? "combined" : by})`;
}

/** Definitions of the patterns, for `<defs>`. */
export function PatternDefs() {
  return (
    <>
      <Hatch id="hatch-l2-hit" size={6} ground="var(--hit2)">
        <circle cx="3" cy="3" r=".8" fill="var(--surface)" opacity=".85" />
      </Hatch>
      <Hatch id="hatch-walk" size={5} ground="var(--walk)" angle={45}>
        <rect width="1" height="5" fill="var(--surface)" opacity=".8" />
      </Hatch>
      <Hatch id="hatch-fault" size={6} ground="var(--fault)" angle={45}>
        <path
          d="M0 0H6M0 0V6"
          stroke="var(--surface)"
          strokeWidth="1.3"
          opacity=".75"
        />
      </Hatch>
      <Hatch id="hatch-exception" size={4} ground="var(--fault)">
        <rect y="1.4" width="4" height="1.3" fill="var(--surface)" />
      </Hatch>
      <Hatch id="skip-combined" size={7} ground="var(--surface)" angle={45}>
        <rect width="1.1" height="7" fill="var(--line-strong)" opacity=".55" />
      </Hatch>
      <Hatch id="skip-nested-tlb" size={7} ground="var(--surface)" angle={-45}>
        <rect width="1.1" height="7" fill="var(--line-strong)" opacity=".55" />
      </Hatch>
      <Hatch id="skip-ept-pde" size={6} ground="var(--surface)">
        <circle cx="3" cy="3" r=".95" fill="var(--line-strong)" opacity=".75" />
      </Hatch>
      <Hatch id="skip-ept-pdpte" size={6} ground="var(--surface)">
        <rect
          y="2.5"
          width="6"
          height="1.1"
          fill="var(--line-strong)"
          opacity=".5"
        />
      </Hatch>
      <Hatch id="skip-ept-pml4e" size={6} ground="var(--surface)">
        <rect
          x="2.5"
          width="1.1"
          height="6"
          fill="var(--line-strong)"
          opacity=".5"
        />
      </Hatch>
      <Hatch id="skip-ept-pml5e" size={7} ground="var(--surface)">
        <path
          d="M0 .5H7M.5 0V7"
          stroke="var(--line-strong)"
          strokeWidth="1"
          opacity=".45"
        />
      </Hatch>
      <Hatch id="skip-pwc" size={9} ground="var(--surface)">
        <path
          d="M2 4.5h5M4.5 2v5"
          stroke="var(--line-strong)"
          strokeWidth="1.1"
          opacity=".8"
        />
      </Hatch>
    </>
  );
}

/** An SVG without size that holds the definitions; rendered once, near the root. */
export function PatternSheet() {
  // Not `display: none`: browsers then drop the patterns.
  return (
    <svg className="pattern-sheet" width="0" height="0" aria-hidden="true">
      <defs>
        <PatternDefs />
      </defs>
    </svg>
  );
}

interface HatchProps {
  readonly id: string;
  /** The pitch in pixels. */
  readonly size: number;
  readonly ground: string;
  readonly angle?: number;
  readonly children: ReactNode;
}

function Hatch({ id, size, ground, angle, children }: HatchProps) {
  return (
    <pattern
      id={id}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
      {...(angle === undefined ? {} : { patternTransform: `rotate(${angle})` })}
    >
      <rect width={size} height={size} fill={ground} />
      {children}
    </pattern>
  );
}
