/** The structures that can skip references, and what each did in this walk; a click shows the structure. */
import { count } from "../../model/shared/format";
import type { Pill, SkipSource } from "../../model/walk/nested/caches";
import { Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";

export interface SkipListProps {
  readonly sources: readonly SkipSource[];
  /** Shows a structure in the TLB picture. */
  readonly onStructure?: (structure: number) => void;
}

export function SkipList({ sources, onStructure }: SkipListProps) {
  if (sources.length === 0)
    return (
      <p className="nested-nothing">
        This machine has no walk caches: every walk reads all its entries.
      </p>
    );
  return (
    <ul className="nested-sources">
      {sources.map((source) => (
        <Source
          key={source.structures[0]}
          source={source}
          {...(onStructure ? { onStructure } : {})}
        />
      ))}
    </ul>
  );
}

function Source({
  source,
  onStructure,
}: {
  readonly source: SkipSource;
  readonly onStructure?: (structure: number) => void;
}) {
  const { kind, name, used, total, skipped, what, pills, more, shown } = source;
  return (
    <li className="nested-source">
      <div className="nested-source-head">
        <Swatch fill={skipHatch(kind)} outlined />
        {onStructure && shown !== undefined ? (
          <button
            type="button"
            className="nested-source-name"
            title={`Show ${name} in the TLB picture`}
            onClick={() => onStructure(shown)}
          >
            {name}
          </button>
        ) : (
          <b className="nested-source-name">{name}</b>
        )}
        <span className="nested-fill">
          {total > 0 ? `${count(used)}/${count(total)}` : ""}
        </span>
        <span className={skipped > 0 ? "nested-did" : "nested-idle"}>
          {what}
        </span>
      </div>
      {pills.length > 0 ? (
        <div className="nested-pills">
          {pills.map((pill) => (
            <PillMark key={pill.key} pill={pill} />
          ))}
          {more > 0 ? (
            <span className="nested-more">{count(more)} more</span>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

function PillMark({ pill }: { readonly pill: Pill }) {
  return (
    <span className={pill.hit ? "nested-pill hit" : "nested-pill"}>
      {pill.key}
      {pill.target === null ? null : (
        <>
          <span className="nested-to"> → </span>
          {pill.target}
        </>
      )}
    </span>
  );
}
