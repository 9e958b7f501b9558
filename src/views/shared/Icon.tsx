/** Icons of controls. They use the text colour of the control and have no name: the control has one. */
const FILLED = {
  start: "M3 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  play: "M4 2.5 13 8l-9 5.5z",
  step: "M5 3l7 5-7 5z",
  end: "M13 3v10M3 3l7 5-7 5z",
  pause: "M4.5 3.5h2v9h-2zM9.5 3.5h2v9h-2z",
} satisfies Record<string, string>;

const OUTLINED = {
  chevron: "M4 6.2 8 10l4-3.8",
  "chevron-up": "M4 9.8 8 6l4 3.8",
  "chevron-left": "M9.8 4 6 8l3.8 4",
  "chevron-right": "M6.2 4 10 8l-3.8 4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.5 8.5 6.5 11.5 12.5 4.5",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  search: "M7 2.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4M10.2 10.2 13.5 13.5",
  copy: "M5.5 5.5h7.5v8H5.5zM3 10.5v-8h7.5",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2",
  trash: "M3.5 4.5h9M6.5 4.5v-1.5h3v1.5M4.8 4.5l.6 8.5h5.2l.6-8.5",
  undo: "M6 3.5 3 6.5 6 9.5M3 6.5h6.2a3.3 3.3 0 1 1 0 6.6H6.5",
  redo: "M10 3.5 13 6.5 10 9.5M13 6.5H6.8a3.3 3.3 0 1 0 0 6.6h2.7",
  save: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10",
  open: "M8 10.4V2.8M4.8 6 8 2.8 11.2 6M3 13.2h10",
  share: "M8 10.5v-8M4.8 5.5 8 2.3l3.2 3.2M3 9.5v3.7h10V9.5",
  menu: "M2.8 4.5h10.4M2.8 8h10.4M2.8 11.5h10.4",
  whole: "M2.5 8h11M5 5.2 2.5 8 5 10.8M11 5.2 13.5 8 11 10.8",
  help: "M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.2v.4M8 11.9v.2",
} satisfies Record<string, string>;

type Filled = keyof typeof FILLED;
type Outlined = keyof typeof OUTLINED;
export type IconName = Filled | Outlined | "theme";

export interface IconProps {
  readonly name: IconName;
  /** Width and height in CSS pixels. */
  readonly size?: number;
}

export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <Drawing name={name} />
    </svg>
  );
}

function Drawing({ name }: { readonly name: IconName }) {
  if (name === "theme")
    return (
      <>
        <circle
          cx="8"
          cy="8"
          r="5.6"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
        />
        <path d="M8 2.4a5.6 5.6 0 0 1 0 11.2z" fill="currentColor" />
      </>
    );
  return isFilled(name) ? (
    <path
      d={FILLED[name]}
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
    />
  ) : (
    <path
      d={OUTLINED[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  );
}

function isFilled(name: Filled | Outlined): name is Filled {
  return name in FILLED;
}
