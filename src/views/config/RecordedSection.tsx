/** The page sizes that the recording measured: whether memory has them, which ranges they are, and what is doubtful. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RecordedView } from "../../engine/generated/RecordedView";
import {
  AS_RECORDED,
  isAsRecorded,
  policyWord,
  withoutRecorded,
} from "../../model/config/pagePolicies";
import {
  LISTED_RANGES,
  moreRanges,
  recordedText,
} from "../../model/config/recorded";
import { Segmented } from "../shared/Segmented";

export interface RecordedSectionProps {
  readonly recorded: RecordedView;
  readonly os: OsConfig;
  /** The smallest pages of the machine. */
  readonly smallest: PageSize;
  readonly onChange: (os: OsConfig) => void;
}

export function RecordedSection(props: RecordedSectionProps) {
  const { recorded, os, smallest, onChange } = props;
  const isOn = isAsRecorded(os);
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Pages of the recording</h3>
        <Segmented<"recorded" | "other">
          label="Whether memory has the pages of the recording"
          choices={[
            { value: "recorded", label: "As recorded" },
            { value: "other", label: "Other pages" },
          ]}
          value={isOn ? "recorded" : "other"}
          onChange={(next) =>
            onChange(
              next === "other"
                ? withoutRecorded(os)
                : {
                    ...withoutRecorded(os),
                    default: smallest,
                    map: AS_RECORDED,
                  },
            )
          }
        />
      </div>
      {isOn ? (
        <>
          <p className="t2 small">{recordedText(recorded)}</p>
          <RecordedRanges recorded={recorded} />
          {recorded.warning === undefined ? null : (
            <p className="config-state small">{recorded.warning}.</p>
          )}
        </>
      ) : (
        <p className="t2 small">
          The trace knows more about its pages: {recordedText(recorded)}
        </p>
      )}
    </section>
  );
}

function RecordedRanges({ recorded }: Pick<RecordedSectionProps, "recorded">) {
  const ranges = recorded.ranges.slice(0, LISTED_RANGES);
  if (ranges.length === 0) return null;
  return (
    <ul className="config-ranges small mono">
      {ranges.map(({ start, end, pages }) => (
        <li key={start}>
          {start}–{end} <b>{policyWord(pages)}</b>
        </li>
      ))}
      {moreRanges(recorded) === "" ? null : <li>{moreRanges(recorded)}</li>}
    </ul>
  );
}
