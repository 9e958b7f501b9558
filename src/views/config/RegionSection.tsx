/** Address ranges with their own policy, and regions of the trace to start from. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { RegionConfig } from "../../engine/generated/RegionConfig";
import type { RegionView } from "../../engine/generated/RegionView";
import { counted } from "../../model/shared/format";
import { bytesOf } from "../../model/shared/pageSizes";
import { regionKnown, regionKnownSentence } from "../../model/timeline/regions";
import { Icon } from "../shared/Icon";
import type { Pages } from "./PolicyField";
import { RegionRow } from "./RegionRow";

export interface RegionSectionProps {
  /** Path of the regions: `os.regions`. */
  readonly path: string;
  readonly regions: readonly RegionConfig[];
  readonly pages: Pages;
  /** Regions of the trace; empty for a host, whose addresses differ. */
  readonly touched: readonly RegionView[];
  readonly onChange: (regions: RegionConfig[]) => void;
}

export function RegionSection(props: RegionSectionProps) {
  const { path, regions, pages, touched, onChange } = props;
  const larger = pages.sizes[1] ?? pages.sizes[0] ?? DEFAULT_OS.default;
  return (
    <>
      <section className="config-section">
        <div className="config-head">
          <h3>Regions with their own policy</h3>
          <button
            type="button"
            className="btn"
            onClick={() =>
              onChange([
                ...regions,
                { start: "0x0", end: "0x40000000", pages: larger },
              ])
            }
          >
            <Icon name="plus" /> Add a region
          </button>
        </div>
        {regions.length === 0 ? null : (
          <div className="config-columns config-region" aria-hidden="true">
            {["kind", "from", "to (exclusive)", "pages"].map((column) => (
              <span key={column}>{column}</span>
            ))}
          </div>
        )}
        <ul className="config-rows">
          {regions.map((region, i) => (
            <RegionRow
              key={i}
              path={`${path}[${i}]`}
              region={region}
              pages={pages}
              onChange={(next) => onChange(regions.with(i, next))}
              onRemove={() => onChange(regions.filter((_, at) => at !== i))}
            />
          ))}
        </ul>
      </section>
      {touched.length === 0 ? null : (
        <section className="config-section">
          <div className="config-head">
            <h3>Regions of the trace</h3>
          </div>
          <ul className="config-touched">
            {touched.map((region) => (
              <li key={region.start}>
                <span title={regionKnownSentence(region)}>
                  {region.name}{" "}
                  <span className="t3 small">{regionKnown(region)}</span>
                </span>
                <span className="mono t2 small">
                  {region.start} – {region.end}
                </span>
                <span className="t2 small">
                  {counted(region.pages, "page")} of 4K
                </span>
                <button
                  type="button"
                  className="btn"
                  aria-label={`Add ${region.name} from ${region.start}`}
                  onClick={() =>
                    onChange([...regions, suggested(region, larger)])
                  }
                >
                  <Icon name="plus" /> Add
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The region widened to whole pages of the size, since a narrower one could hold no page. */
function suggested(
  { kind, start, end }: RegionView,
  pages: PagePolicy,
): RegionConfig {
  const size = BigInt(bytesOf(pages));
  const from = (BigInt(start) / size) * size;
  const to = ((BigInt(end) + size - 1n) / size) * size;
  return {
    start: `0x${from.toString(16)}`,
    end: `0x${to.toString(16)}`,
    pages,
    kind,
  };
}
