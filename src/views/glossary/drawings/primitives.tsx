/** The few shapes that all drawings of the glossary are made of, in a box of 240 × 104. */
import type { ReactNode } from "react";
import type { SayCards } from "../../../model/glossary/cards";

export const WIDTH = 240;
export const HEIGHT = 104;

/** Whether a part of the drawing is the one that the card explains. */
export type IsLit = (part: string) => boolean;

export interface DrawingProps {
  readonly isLit: IsLit;
  readonly say: SayCards;
}

export interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height?: number;
  readonly lit?: boolean;
  /** An outcome or a dimension that gives the box its colours. */
  readonly tone?: "hit1" | "hit2" | "walk" | "fault" | "guest" | "host";
  readonly dashed?: boolean;
  readonly children?: ReactNode;
}

const classes = (...names: readonly (string | false | undefined)[]) =>
  names.filter(Boolean).join(" ");

export function Box({
  x,
  y,
  width,
  height = 18,
  lit = false,
  tone,
  dashed = false,
  children,
}: BoxProps) {
  return (
    <>
      <rect
        className={classes("gl-box", lit && "gl-lit")}
        {...{ x, y, width, height }}
        rx={2}
        {...(tone && { style: { fill: `var(--${tone}-soft)` } })}
        {...(dashed && { strokeDasharray: "3 2" })}
      />
      {children === undefined ? null : (
        <Label x={x + width / 2} y={y + height / 2 + 4} lit={lit}>
          {children}
        </Label>
      )}
    </>
  );
}

export interface LabelProps {
  readonly x: number;
  readonly y: number;
  readonly lit?: boolean;
  readonly at?: "start" | "middle" | "end";
  readonly children: ReactNode;
}

export function Label({ x, y, lit, at = "middle", children }: LabelProps) {
  return (
    <text
      className={classes("gl-text", lit && "gl-lit-text")}
      x={x}
      y={y}
      textAnchor={at}
    >
      {children}
    </text>
  );
}

export interface ArrowProps {
  /** From and to. */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly lit?: boolean;
  readonly dashed?: boolean;
}

/** A straight arrow with its head. */
export function Arrow({ from, to, lit, dashed }: ArrowProps) {
  const [x, y] = to;
  const angle = (Math.atan2(y - from[1], x - from[0]) * 180) / Math.PI;
  return (
    <g className={classes("gl-arrow", lit && "gl-lit-arrow")}>
      <path
        d={`M${from.join(" ")}L${to.join(" ")}`}
        {...(dashed && { strokeDasharray: "3 2" })}
      />
      <path
        className="gl-head"
        d="M-6 -3.5 0 0 -6 3.5Z"
        transform={`translate(${x} ${y}) rotate(${Math.round(angle)})`}
      />
    </g>
  );
}

/** A bracket under a range, with its words below. */
export function Bracket({
  from,
  to,
  y,
  lit = false,
  children,
}: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly lit?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <>
      <path
        className={classes("gl-line", lit && "gl-lit-line")}
        d={`M${from} ${y}v4H${to}v-4`}
      />
      <Label x={(from + to) / 2} y={y + 17} lit={lit}>
        {children}
      </Label>
    </>
  );
}

/** Numbers from 0, to draw things in a row. */
export const range = (n: number) => Array.from({ length: n }, (_, at) => at);
