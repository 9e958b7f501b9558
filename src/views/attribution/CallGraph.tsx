/** Call paths as an icicle: a press on a function gives it the whole width. */
import { useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { AttributionView } from "../../engine/generated/AttributionView";
import {
  ALL,
  MEASURES,
  UNKNOWN,
  amount,
  callFilter,
  callFrames,
  callPath,
  callsCsv,
  findCalls,
} from "../../model/attribution/calls";
import type { CallFrame, CallMeasure } from "../../model/attribution/calls";
import {
  isBelowRecursion,
  withoutRecursion,
} from "../../model/attribution/recursion";
import { sameFilter } from "../../model/attribution/rows";
import type { AttributionFilter } from "../../model/attribution/rows";
import { count, counted, percentOf } from "../../model/shared/format";
import { useChoice, useSwitch } from "../shared/choices";
import { SavePicture } from "../shared/picture/SavePicture";
import { Segmented } from "../shared/Segmented";
import { useSize, useTextScale } from "../shared/useSize";
import { useTip } from "../shared/useTip";
import { CallFrames } from "./CallFrames";
import "./calls.css";

export interface CallGraphProps {
  readonly view: AttributionView;
  readonly filter: AttributionFilter | undefined;
  readonly onFilter: (filter: AttributionFilter | undefined) => void;
}

/** The height of a row in pixels, at the usual size of text. */
const ROW = 20;

export function CallGraph({ view: whole, filter, onFilter }: CallGraphProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box, { width: 640, height: 0 });
  const scale = useTextScale();
  const [measure = "walk_cycles", setMeasure] = useChoice<CallMeasure>(
    "breakdown.calls",
    MEASURES.map(({ value }) => value),
  );
  const [isUnfolded, setUnfolded] = useSwitch("breakdown.recursion");
  const merged = useMemo(() => withoutRecursion(whole.calls), [whole.calls]);
  const hasRecursion = merged.recursive.size > 0;
  const view = isUnfolded ? whole : { ...whole, calls: merged.calls };
  const [wide, setWide] = useState(ALL);
  const [read, setRead] = useState<number>();
  const [text, setText] = useState("");
  const { show, hide, dismiss, tip } = useTip();
  const { calls } = view;
  // Another run has other nodes.
  const focus = wide < calls.nodes.length ? wide : ALL;
  const all = callFrames(view, measure, focus);
  const frames = all.filter(({ from, to }) => (to - from) * width >= 1);
  const found = findCalls(view, measure, text);
  const word = MEASURES.find(({ value }) => value === measure)?.label ?? "";
  const depth = Math.max(...frames.map((frame) => frame.depth)) + 1;
  const path = focus >= 0 ? callPath(calls, focus) : [];
  // A row of the timeline is one path, which a call below a recursion does not have.
  const hasPath =
    focus >= 0 && (isUnfolded || !isBelowRecursion(merged, focus));
  const own = hasPath ? callFilter(calls, focus) : undefined;
  const isShown = own !== undefined && sameFilter(filter, own);

  const zoom = (at: number) => {
    dismiss();
    if (at !== UNKNOWN) setWide(at === focus ? callerOf(view, at) : at);
  };
  const readFrame = (frame: CallFrame | undefined) => {
    if (!frame) return;
    setRead(frame.at);
    const element = document.getElementById(`${id}-${frame.at}`);
    scrollTo(box.current, frame.depth * ROW * scale, ROW * scale);
    if (element) show(element, tipOf(view, frame, measure, word));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = frames.find(({ at }) => at === read);
    if (event.key === "Enter" || event.key === " ") {
      if (here) zoom(here.at);
    } else if (event.key === "Escape" && focus !== ALL) {
      zoom(ALL);
    } else {
      const next = here ? neighbour(frames, here, event.key) : frames[0];
      if (!isArrow(event.key)) return;
      readFrame(next);
    }
    // Arrow keys also step the replay, and Space plays it.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="calls" data-picture="">
      <div className="calls-head">
        <Segmented
          label="Width"
          choices={MEASURES}
          value={measure}
          onChange={setMeasure}
        />
        <input
          type="search"
          className="calls-find"
          aria-label="Find a function"
          placeholder="Find a function"
          value={text}
          data-no-picture=""
          onChange={(event) => setText(event.target.value)}
        />
        {hasRecursion ? (
          <label className="calls-recursion" data-no-picture="">
            <input
              type="checkbox"
              checked={!isUnfolded}
              onChange={(event) => {
                setUnfolded(!event.target.checked);
                setWide(ALL);
              }}
            />{" "}
            recursive calls as one
          </label>
        ) : null}
        <SavePicture
          what="Call paths"
          tables={[{ csv: () => callsCsv(whole) }]}
        />
      </div>
      <p className="t2 small calls-note" aria-live="polite">
        {text.trim() === ""
          ? "Width: a function with all that it calls. Colour: its own part."
          : `${counted(found.found.size, "call path")} found, ${percentOf(found.count, found.of)} of ${word}.`}
        {calls.n_others > 0
          ? ` ${counted(calls.n_others, "smaller path")} not drawn.`
          : ""}
      </p>
      {path.length > 0 ? (
        <p className="calls-path">
          <span className="calls-names">{path.join(" › ")}</span>
          {own ? (
            <button
              type="button"
              className="btn quiet"
              aria-pressed={isShown}
              data-no-picture=""
              onClick={() => onFilter(isShown ? undefined : own)}
            >
              {isShown
                ? "Show everything in the timeline"
                : "Show only this in the timeline"}
            </button>
          ) : null}
        </p>
      ) : null}
      <div className="calls-scroll" ref={box}>
        <svg
          width={width}
          height={depth * ROW * scale}
          role="tree"
          aria-label={`Call paths by ${word}`}
          aria-activedescendant={
            read !== undefined && frames.some(({ at }) => at === read)
              ? `${id}-${read}`
              : undefined
          }
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setRead(undefined);
            hide();
          }}
        >
          <CallFrames
            id={id}
            frames={frames}
            found={text.trim() === "" ? undefined : found.found}
            read={read}
            size={{ width, row: ROW * scale, scale }}
            labelOf={(frame) => labelOf(view, frame, measure, word)}
            onZoom={zoom}
            onHover={(element, frame) =>
              show(element, tipOf(view, frame, measure, word))
            }
            onLeave={hide}
          />
        </svg>
      </div>
      {tip}
    </div>
  );
}

function callerOf({ calls }: AttributionView, at: number): number {
  return calls.nodes[at]?.parent ?? ALL;
}

/** Scrolls only as far as a row needs. */
function scrollTo(box: HTMLElement | null, top: number, row: number) {
  if (!box) return;
  const least = top + row - box.clientHeight;
  box.scrollTop = Math.min(top, Math.max(least, box.scrollTop));
}

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home"];

function isArrow(key: string): boolean {
  return ARROWS.includes(key);
}

/** Up is the caller, down the widest call, left and right are neighbours in the row. */
function neighbour(
  frames: readonly CallFrame[],
  here: CallFrame,
  key: string,
): CallFrame | undefined {
  const inRow = (depth: number) =>
    frames.filter((frame) => frame.depth === depth);
  const row = inRow(here.depth);
  const at = row.indexOf(here);
  const middle = (here.from + here.to) / 2;
  switch (key) {
    case "ArrowUp":
      return inRow(here.depth - 1).find(
        ({ from, to }) => from <= middle && middle <= to,
      );
    case "ArrowDown":
      return inRow(here.depth + 1).find(
        ({ from, to }) => here.from <= from && to <= here.to,
      );
    case "ArrowLeft":
      return row[at - 1];
    case "ArrowRight":
      return row[at + 1];
    default:
      return frames[0];
  }
}

function labelOf(
  { total }: AttributionView,
  frame: CallFrame,
  measure: CallMeasure,
  word: string,
): string {
  const n = amount(frame.total, measure);
  return `${frame.name}, ${count(n)} ${word}, ${percentOf(n, amount(total, measure))}`;
}

function tipOf(
  { total }: AttributionView,
  frame: CallFrame,
  measure: CallMeasure,
  word: string,
) {
  const share = (n: number) =>
    `${count(n)} · ${percentOf(n, amount(total, measure))}`;
  return (
    <div className="calls-tip">
      <b>{frame.name}</b>
      <dl>
        <dt>{word}, with calls</dt>
        <dd>{share(amount(frame.total, measure))}</dd>
        {frame.at === ALL ? null : (
          <>
            <dt>{word}, own</dt>
            <dd>{share(amount(frame.own, measure))}</dd>
          </>
        )}
        {MEASURES.filter(({ value }) => value !== measure).map((other) => (
          <Fact key={other.value} word={other.label}>
            {count(amount(frame.total, other.value))}
          </Fact>
        ))}
      </dl>
    </div>
  );
}

function Fact(props: { readonly word: string; readonly children: string }) {
  return (
    <>
      <dt>{props.word}, with calls</dt>
      <dd>{props.children}</dd>
    </>
  );
}
