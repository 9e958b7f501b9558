/** How memory is mapped: by the operating system, and by the host of a virtual machine. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import { useState } from "react";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RecordedView } from "../../engine/generated/RecordedView";
import type { RegionView } from "../../engine/generated/RegionView";
import type { TableFormat } from "../../engine/generated/TableFormat";
import type { Virt } from "../../engine/generated/Virt";
import { capital } from "../../model/shared/format";
import {
  VIRT_MEANINGS,
  hostPages,
  virtOf,
  withHostPages,
  withVirt,
} from "../../model/config/mapping";
import { wordsOf } from "../../model/words/words";
import { Segmented } from "../shared/Segmented";
import { FieldsContext, TypedContext } from "./fields";
import { GivenSection } from "./GivenSection";
import { isShown } from "./mappingFields";
import type { Side } from "./mappingFields";
import { VIRTS } from "../../engine/generated/words";
import { OsForm } from "./OsForm";
import { RecordedSection } from "./RecordedSection";
import { useDraft } from "./useDraft";
import type { Apply } from "./useDraft";
import { useTyped } from "./useTyped";

export interface MappingTabProps {
  readonly os: OsConfig;
  /** The table format that gives the field names their words. */
  readonly tables: TableFormat;
  readonly sizes: readonly PageSize[];
  /** The names of the TLB's arrays. */
  readonly arrays: readonly string[];
  /** The huge page size of THP and hugetext; `null` if the machine has none. */
  readonly huge: PageSize | null;
  /** Regions of the trace, offered as a start. */
  readonly touched: readonly RegionView[];
  /** What the recording of the open trace measured, if it did. */
  readonly recorded?: RecordedView | undefined;
  /** Why the CPU model has no nested paging; missing if it has. */
  readonly noNested?: string | undefined;
  readonly onOs: Apply<OsConfig>;
}

const NO_REGIONS: readonly RegionView[] = [];

export function MappingTab(props: MappingTabProps) {
  const { sizes, huge, touched } = props;
  const { value: os, problems, change } = useDraft(props.os, props.onOs);
  const [typed, reportTyped] = useTyped();
  const [chosen, setSide] = useState<Side>("guest");
  const virt = virtOf(os);
  const words = wordsOf(props);
  const side = virt === "native" ? "guest" : chosen;
  const all = [...typed, ...problems];
  const others = all.filter(({ field }) => !isShown(field, side));
  const pages = { sizes, huge };
  return (
    <FieldsContext value={{ problems: all, model: undefined }}>
      <TypedContext value={reportTyped}>
        {all.length > 0 ? (
          <p className="config-state" role="status">
            Not applied yet. The pictures still show the previous mapping.
          </p>
        ) : null}
        {others.map(({ field, message }) => (
          <p key={field} className="problem" role="alert">
            {field ? `${field}: ` : ""}
            {message}
          </p>
        ))}
        <section className="config-section">
          <div className="config-head">
            <h3>Page tables</h3>
            <Segmented<Virt>
              label="Kind of page tables"
              choices={VIRTS.map((value) => ({
                value,
                label: words.virt[value],
              }))}
              value={virt}
              onChange={(next) => change(withVirt(os, next))}
            />
          </div>
          <p className="t2 small">{capital(VIRT_MEANINGS[virt])}.</p>
          {virt === "ept" && props.noNested !== undefined ? (
            <p className="config-state small">
              {props.noNested}, as “{words.virt.shadow}” does.
            </p>
          ) : null}
          {virt === "native" ? null : (
            <Segmented<Side>
              label="Whose mapping is shown"
              choices={[
                { value: "guest", label: "guest" },
                { value: "host", label: "host" },
              ]}
              value={side}
              onChange={setSide}
            />
          )}
        </section>
        {virt === "native" || os.given ? (
          <GivenSection os={os} arrays={props.arrays} onChange={change} />
        ) : null}
        {side === "guest" && props.recorded ? (
          <RecordedSection
            recorded={props.recorded}
            os={os}
            smallest={sizes[0] ?? DEFAULT_OS.default}
            onChange={change}
          />
        ) : null}
        {side === "guest" ? (
          <OsForm
            key="guest"
            path="os"
            os={os}
            pages={pages}
            isHost={false}
            touched={touched}
            onChange={change}
          />
        ) : virt === "shadow" && hostPages(os) === undefined ? (
          <section className="config-section">
            <div className="config-head">
              <h3>Host page sizes</h3>
              <button
                type="button"
                className="btn"
                onClick={() =>
                  change(withHostPages(os, sizes[0] ?? DEFAULT_OS.default))
                }
              >
                Choose separately
              </button>
            </div>
            <p className="t2 small">The same as the guest’s.</p>
          </section>
        ) : (
          <OsForm
            key="host"
            path="os.host"
            os={{
              ...DEFAULT_OS,
              default: sizes[0] ?? DEFAULT_OS.default,
              ...os.host,
            }}
            pages={pages}
            isHost
            // The trace has addresses of the guest's programs, so the host gets no suggestions.
            touched={NO_REGIONS}
            onChange={(host) => change({ ...os, host })}
          />
        )}
      </TypedContext>
    </FieldsContext>
  );
}
