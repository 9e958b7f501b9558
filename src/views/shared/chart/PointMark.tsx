import type { LineStyle } from "../../../model/shared/chart/style";

export interface PointMarkProps {
  readonly x: number;
  readonly y: number;
  readonly style: LineStyle;
}

/** A point of a line; a published point is a dot with a ring. */
export function PointMark({ x, y, style }: PointMarkProps) {
  const { shape, size, colour } = style;
  const half = size / 2;
  switch (shape) {
    case "none":
      return null;
    case "square":
      return (
        <rect
          x={x - half}
          y={y - half}
          width={size}
          height={size}
          fill={colour}
        />
      );
    case "hollow":
      return (
        <rect
          x={x - half}
          y={y - half}
          width={size}
          height={size}
          fill="var(--surface)"
          stroke={colour}
          strokeWidth="1.5"
        />
      );
    case "dot":
      return <circle cx={x} cy={y} r={half} fill={colour} />;
    case "ring":
      return (
        <>
          <circle
            cx={x}
            cy={y}
            r={half}
            fill="var(--surface)"
            stroke={colour}
            strokeWidth="2"
          />
          <circle cx={x} cy={y} r="1.8" fill={colour} />
        </>
      );
  }
}
