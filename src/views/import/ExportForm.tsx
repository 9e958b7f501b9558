/** The open trace as a file that other programs read. */
import { useState } from "react";
import type { ExportFormat } from "../../engine/generated/ExportFormat";
import type { Lost } from "../../engine/generated/Lost";
import { count, fileSize } from "../../model/shared/format";
import { EXPORTS } from "../../model/import/exportText";
import { ProgressBar } from "../shared/Progress";
import { SelectField } from "./Labelled";

/** What was written last. */
export interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly lost: readonly Lost[];
}

export interface ExportFormProps {
  readonly name: string;
  readonly accesses: number;
  /** Operations between accesses, which some formats have, too. */
  readonly operations: number;
  /** Samples, of which none need have an address. */
  readonly samples: number;
  /** Where the samples are shown. */
  readonly samplesAddress: string;
  /** Parts that are written, of how many; missing = nothing is under way. */
  readonly progress?:
    { readonly done: number; readonly total: number } | undefined;
  readonly written?: Written | undefined;
  readonly onExport: (format: ExportFormat) => void;
  readonly onCancel: () => void;
}

export function ExportForm(props: ExportFormProps) {
  const { name, accesses, operations, progress, written } = props;
  const { samples, samplesAddress, onExport, onCancel } = props;
  const [format, setFormat] = useState<ExportFormat>("csv");
  if (accesses + operations === 0)
    return (
      <section data-testid="export-form">
        <h3>Save the open trace</h3>
        <p>
          <span className="mono">{name}</span> has no access that could be
          written as CSV, for lackey or for Dinero
          {samples > 0
            ? `: ${samples === 1 ? "its only sample has no" : `none of its ${count(samples)} samples has a`} data address.`
            : "."}
        </p>
        {samples > 0 ? (
          <p className="t2">
            What they tell is on the screen <a href={samplesAddress}>Samples</a>
            , where each table is saved as CSV.{" "}
            <code>pagewalk convert --to pagewalk</code> keeps them as they are.
          </p>
        ) : null}
      </section>
    );
  const about = EXPORTS.find(({ value }) => value === format)?.about;
  return (
    <section data-testid="export-form">
      <h3>Save the open trace</h3>
      <p className="t2">
        <span className="mono">{name}</span>, {count(accesses)}{" "}
        {accesses === 1 ? "access" : "accesses"}
      </p>
      <div className="export-row">
        <SelectField
          label="As"
          value={format}
          options={EXPORTS}
          // The options are those of the type.
          onChange={(value) => setFormat(value as ExportFormat)}
        />
        {progress ? (
          <button type="button" className="btn" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="btn"
            onClick={() => onExport(format)}
          >
            Save
          </button>
        )}
      </div>
      <p className="t2 small">{about}</p>
      {progress ? (
        <div className="export-progress">
          <ProgressBar label={`Writing ${name}`} {...progress} />
          <p className="t2 small">
            {count((accesses * progress.done) / Math.max(1, progress.total))} of{" "}
            {count(accesses)} accesses
          </p>
        </div>
      ) : null}
      <div role="status">
        {written && !progress ? <WrittenText {...written} /> : null}
      </div>
    </section>
  );
}

function WrittenText({ name, bytes, lost }: Written) {
  return (
    <p className="small" data-testid="exported">
      <span className="mono">{name}</span>, {fileSize(bytes)}.{" "}
      {lost.length === 0
        ? "Nothing of its accesses and operations is left out."
        : `Left out, as the format has no place for it: ${lost
            .map(({ what, count: n }) =>
              n > 1 ? `${what} (${count(n)})` : what,
            )
            .join(", ")}.`}
    </p>
  );
}
