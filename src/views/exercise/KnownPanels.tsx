/** What a student may know besides the picture: the accesses until the question, the page table, and the array's rules. */
import type { ReactNode } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { KnownAccess, KnownPages } from "../../model/exercise/known";
import type { SayExercise } from "../../model/exercise/question";
import { count } from "../../model/shared/format";
import { hex } from "../../model/shared/hex";
import { sizeWords } from "../../model/shared/pageSizes";
import { shapeOf } from "../../model/tlb/tabs";
import "./known.css";

interface FoldProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

function Fold({ title, isOpen, children }: FoldProps) {
  return (
    <details className="known" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Rows that scroll; the keyboard scrolls them, too. */
function Rows({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    // A scrolling part without a control needs the focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="known-rows" tabIndex={0} role="region" aria-label={label}>
      <table>{children}</table>
    </div>
  );
}

export interface KnownAccessesProps {
  readonly say: SayExercise;
  readonly accesses: readonly KnownAccess[];
  /** The number of accesses before these. */
  readonly earlier: number;
  readonly isOpen: boolean;
}

export function KnownAccesses(props: KnownAccessesProps) {
  const { say, accesses, earlier, isOpen } = props;
  const title = say("knownAccesses");
  return (
    <Fold title={title} isOpen={isOpen}>
      {earlier > 0 ? <p>{say("knownEarlier", { n: earlier })}</p> : null}
      <Rows label={title}>
        <thead>
          <tr>
            <th scope="col">{say("knownAccess")}</th>
            <th scope="col">{say("knownKind")}</th>
            <th scope="col">{say("knownAddress")}</th>
            <th scope="col">{say("knownPage")}</th>
          </tr>
        </thead>
        <tbody>
          {accesses.map(({ at, kind, address, page }) => (
            <tr key={at} aria-current={at === accesses.at(-1)?.at || undefined}>
              <th scope="row">{count(at)}</th>
              <td>{kind}</td>
              <td className="mono">{hex(address)}</td>
              <td className="mono">{hex(page)}</td>
            </tr>
          ))}
        </tbody>
      </Rows>
    </Fold>
  );
}

export interface KnownTableProps {
  readonly say: SayExercise;
  readonly pages: readonly KnownPages[];
  /** The number of mapped pages that are not listed. */
  readonly others: number;
  readonly isOpen: boolean;
}

export function KnownTable({ say, pages, others, isOpen }: KnownTableProps) {
  const title = say("knownTable");
  const hasFrames = pages.some(({ frame }) => frame !== undefined);
  const isOneSize = new Set(pages.map(({ size }) => size)).size === 1;
  return (
    <Fold title={title} isOpen={isOpen}>
      <p>
        {say(pages.length === 0 ? "knownNoPages" : "knownFirstTouch")}
        {others > 0 ? ` ${say("knownOthers", { n: others })}` : ""}
      </p>
      {pages.length === 0 ? null : !hasFrames && isOneSize ? (
        <ul className="known-pages mono">
          {pages.map(({ page, count: n }) => (
            <li key={String(page)}>{range(page, n)}</li>
          ))}
        </ul>
      ) : (
        <Rows label={title}>
          <thead>
            <tr>
              <th scope="col">{say("knownPage")}</th>
              {hasFrames ? <th scope="col">{say("knownFrame")}</th> : null}
              {isOneSize ? null : <th scope="col">{say("knownSize")}</th>}
            </tr>
          </thead>
          <tbody>
            {pages.map((row) => (
              <tr key={`${row.page} ${row.size}`}>
                <th scope="row" className="mono">
                  {range(row.page, row.count)}
                </th>
                {hasFrames ? (
                  <td className="mono">
                    {row.frame === undefined
                      ? "–"
                      : range(row.frame, row.count)}
                  </td>
                ) : null}
                {isOneSize ? null : <td>{sizeWords(row.size)}</td>}
              </tr>
            ))}
          </tbody>
        </Rows>
      )}
    </Fold>
  );
}

function range(first: bigint, n: number): string {
  return n === 1 ? hex(first) : `${hex(first)} – ${hex(first + BigInt(n - 1))}`;
}

export interface ArrayRulesProps {
  readonly say: SayExercise;
  readonly machine: MachineView;
  /** The name of the array. */
  readonly array: string;
}

/** The shape of an array, and how it chooses a set and a victim. */
export function ArrayRules({ say, machine, array }: ArrayRulesProps) {
  const view = machine.structures.find(({ name }) => name === array);
  if (!view) return null;
  return (
    <p className="known-rules">
      {say("knownRules", {
        array,
        shape: shapeOf(view),
        policy: view.replacement,
        index: typeof view.index === "object" ? "masks" : view.index,
      })}
    </p>
  );
}
