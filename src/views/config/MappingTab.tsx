/** How the operating system maps memory: a page size for everything, and others for regions. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RegionConfig } from "../../engine/generated/RegionConfig";
import type { RegionView } from "../../engine/generated/RegionView";
import { counted } from "../../model/format";
import { Icon } from "../shared/Icon";
import { Segmented } from "../shared/Segmented";
import { FieldsContext } from "./fields";
import { RegionRow } from "./RegionRow";
import { useDraft } from "./useDraft";
import type { Apply } from "./useDraft";

export interface MappingTabProps {
  readonly os: OsConfig;
  readonly sizes: readonly PageSize[];
  /** Regions that the trace touches, to start from. */
  readonly touched: readonly RegionView[];
  readonly onOs: Apply<OsConfig>;
}

export function MappingTab(props: MappingTabProps) {
  const { sizes, touched } = props;
  const { value: os, problems, change } = useDraft(props.os, props.onOs);
  const setRegions = (regions: RegionConfig[]) => change({ ...os, regions });
  const larger = sizes[1] ?? sizes[0] ?? "4K";
  const choices = sizes.map((size) => ({ value: size, label: size }));
  return (
    <FieldsContext value={{ problems, model: undefined }}>
      <section className="config-section">
        <div className="config-head">
          <h3>Pages of everything else</h3>
          <Segmented
            label="Pages of everything else"
            choices={choices}
            value={os.default}
            onChange={(pages) => change({ ...os, default: pages })}
          />
        </div>
      </section>
      <section className="config-section">
        <div className="config-head">
          <h3>Regions with pages of their own</h3>
          <button
            type="button"
            className="btn"
            onClick={() =>
              setRegions([
                ...os.regions,
                { start: "0x0", end: "0x40000000", pages: larger },
              ])
            }
          >
            <Icon name="plus" /> Add a region
          </button>
        </div>
        <p className="t2 small">
          A page that does not fit into its region as a whole falls back to the
          next smaller size.
        </p>
        {os.regions.length === 0 ? null : (
          <div className="config-columns config-region" aria-hidden="true">
            {["kind", "from", "to (not in it)", "pages"].map((column) => (
              <span key={column}>{column}</span>
            ))}
          </div>
        )}
        <ul className="config-rows">
          {os.regions.map((region, i) => (
            <RegionRow
              key={i}
              path={`os.regions[${i}]`}
              region={region}
              sizes={sizes}
              onChange={(next) => setRegions(os.regions.with(i, next))}
              onRemove={() =>
                setRegions(os.regions.filter((_, at) => at !== i))
              }
            />
          ))}
        </ul>
      </section>
      <section className="config-section">
        <div className="config-head">
          <h3>What the trace touches</h3>
        </div>
        <ul className="config-touched">
          {touched.map((region) => (
            <li key={region.start}>
              <span>{region.name}</span>
              <span className="mono t2 small">
                {region.start} – {region.end}
              </span>
              <span className="t2 small">
                {counted(region.pages, "page")} of 4K
              </span>
              <button
                type="button"
                className="btn"
                onClick={() =>
                  setRegions([...os.regions, suggested(region, larger)])
                }
              >
                <Icon name="plus" /> Add
              </button>
            </li>
          ))}
        </ul>
      </section>
    </FieldsContext>
  );
}

/** The region widened to whole pages of the size: narrower, it could hold none. */
function suggested(
  { kind, start, end }: RegionView,
  pages: PageSize,
): RegionConfig {
  const size = bytesOf(pages);
  const from = (BigInt(start) / size) * size;
  const to = ((BigInt(end) + size - 1n) / size) * size;
  return {
    start: `0x${from.toString(16)}`,
    end: `0x${to.toString(16)}`,
    pages,
    kind,
  };
}

/** `2M` is 2 × 1024². */
function bytesOf(size: PageSize): bigint {
  const unit = "KMGT".indexOf(size.slice(-1)) + 1;
  return BigInt(Number.parseInt(size, 10)) << BigInt(unit * 10);
}
