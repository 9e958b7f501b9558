import type { Plate } from "../../model/walk/nested/plates";

/** The structure that hit, over the references that it saved. */
export function NestedPlate({ plate }: { readonly plate: Plate }) {
  const { x, y, width, text, detail } = plate;
  const height = detail === null ? 22 : 40;
  const first = detail === null ? y + 4.5 : y - 3;
  return (
    <>
      <rect
        className="walk-plate outlined"
        x={x - width / 2}
        y={y - height / 2}
        width={width}
        height={height}
        rx={11}
      />
      <text className="m" x={x} y={first} textAnchor="middle">
        {text}
      </text>
      {detail === null ? null : (
        <text className="mono xs" x={x} y={y + 13} textAnchor="middle">
          {detail}
        </text>
      )}
    </>
  );
}
