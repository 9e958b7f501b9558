/** The first records of a file: as read, or as raw text. */
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Peek } from "../../engine/generated/Peek";
import type { PeekRecord } from "../../engine/generated/PeekRecord";
import type { TlbLevel } from "../../engine/generated/TlbLevel";
import { count, pageSize } from "../../model/shared/format";
import { hasAllCounts, LEVEL_WORDS } from "../../model/import/facts";
import { leftOutText } from "../../model/shared/dataTable";
import { recordedOp } from "../../model/replay/operations";
import { processText, threadText } from "../../model/import/traceText";
import { Glyph } from "../shared/Glyph";
import { Segmented } from "../shared/Segmented";
import { useFit } from "../shared/useFit";
import { Scroll } from "./Scroll";

export function FirstRecords({ peek }: { readonly peek: Peek }) {
  const { records, report, shown } = peek;
  const [chosen, setShows] = useState<"decoded" | "raw">("decoded");
  const shows = records.length === 0 ? "raw" : chosen;
  const all = report?.records ?? 0;
  return (
    <section className="draft-records">
      <div className="draft-head">
        <h3>{records.length > 0 ? "First records" : "Raw text"}</h3>
        {records.length > 0 ? (
          <span className="t2 small">
            {count(records.length)} of {count(all)}
            {hasAllCounts(peek) ? "" : " or more"}
          </span>
        ) : null}
        <span className="spacer" />
        {records.length > 0 ? (
          <Segmented
            label="View"
            choices={[
              { value: "decoded", label: "as read" },
              { value: "raw", label: "raw text" },
            ]}
            value={shows}
            onChange={setShows}
          />
        ) : null}
      </div>
      {shows === "raw" ? (
        <Scroll label="Raw text of the file\'s beginning" className="draft-raw">
          <pre>
            {shown.length === 0 ? "The file is empty." : shown.join("\n")}
          </pre>
        </Scroll>
      ) : (
        <RecordTable records={records} events={eventNames(peek)} />
      )}
    </section>
  );
}

function eventNames({ report }: Peek): readonly string[] {
  return report?.sampling?.events.map(({ name }) => name) ?? [];
}

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Returns the cell's content; nothing if the record lacks it. */
  readonly cell: (record: PeekRecord) => ReactNode;
  readonly has: (record: PeekRecord) => boolean;
}

/** The most useful columns first: columns that do not fit are left out from the end. */
const columns = (events: readonly string[]): readonly Column[] => [
  {
    title: "address",
    has: () => true,
    cell: ({ address }) => <b className="mono">{address ?? "–"}</b>,
  },
  {
    title: "kind",
    has: ({ kind, operation }) => (kind ?? operation) !== undefined,
    cell: ({ kind, operation, pid }) =>
      operation ? recordedOp(operation, pid) : (kind ?? "–"),
  },
  {
    title: "measured TLB",
    has: ({ level }) => level !== undefined,
    cell: ({ level }) => (level ? <Level of={level} /> : "–"),
  },
  {
    title: "latency",
    isNumber: true,
    has: ({ latency }) => latency !== undefined,
    cell: ({ latency }) =>
      latency === undefined ? "–" : `${count(latency)} cy`,
  },
  {
    title: "size",
    isNumber: true,
    has: ({ size }) => size > 0,
    cell: ({ size }) => (size > 0 ? `${count(size)} B` : "–"),
  },
  {
    title: "instruction",
    has: ({ ip }) => ip !== undefined,
    cell: ({ ip }) => <span className="mono">{ip ?? "–"}</span>,
  },
  {
    title: "page",
    has: ({ page }) => page !== undefined,
    cell: ({ page }) =>
      page === undefined ? "–" : pageSize(Math.round(Math.log2(page))),
  },
  {
    title: "process / thread",
    has: ({ pid, tid }) => pid > 0 || tid > 0,
    cell: ({ pid, tid }) => `${processText(pid)} / ${threadText(tid)}`,
  },
  {
    title: "time",
    isNumber: true,
    has: ({ time }) => time !== undefined,
    cell: ({ time }) =>
      time === undefined ? "–" : `${(time / 1e9).toFixed(6)} s`,
  },
  {
    title: "event",
    has: () => events.length > 1,
    cell: ({ event }) => (event === undefined ? "–" : events[event]),
  },
];

/** The first columns, which stay even if the table has to scroll. */
const KEPT = 3;

interface RecordTableProps {
  readonly records: readonly PeekRecord[];
  readonly events: readonly string[];
}

function RecordTable({ records, events }: RecordTableProps) {
  const known = columns(events).filter(({ has }) => records.some(has));
  const box = useRef<HTMLDivElement>(null);
  const out = useFit(
    box,
    known.map(({ title: id }, at) => (at < KEPT ? { id } : { id, rank: at })),
  );
  const shown = known.filter(({ title }) => !out.has(title));
  const left = leftOutText([...out]);
  return (
    <>
      <Scroll label="First records" ref={box}>
        <table className="draft-table">
          <thead>
            <tr>
              <th scope="col">#</th>
              {shown.map(({ title, isNumber }) => (
                <th key={title} scope="col" data-number={isNumber || undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record, i) => (
              <tr key={i}>
                <td className="t2">{i + 1}</td>
                {shown.map(({ title, isNumber, cell }) => (
                  <td key={title} data-number={isNumber || undefined}>
                    {cell(record)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {left === "" ? null : <p className="t2 small">{left}</p>}
    </>
  );
}

function Level({ of }: { readonly of: TlbLevel }) {
  const outcome = {
    l1: "l1-hit",
    l2: "l2-hit",
    walk: "walk",
    fault: "fault",
  } as const;
  const glyph = of in outcome ? outcome[of as keyof typeof outcome] : undefined;
  return (
    <span className="draft-level">
      {glyph ? <Glyph outcome={glyph} /> : null} {LEVEL_WORDS[of]}
    </span>
  );
}
