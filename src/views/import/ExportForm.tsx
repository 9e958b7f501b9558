/** Saves the open trace as a file that other programs read. */
import { useState } from "react";
import type { ExportFormat } from "../../engine/generated/ExportFormat";
import type { Lost } from "../../engine/generated/Lost";
import { count, counted, fileSize } from "../../model/shared/format";
import { EXPORTS } from "../../model/import/exportText";
import { ProgressBar } from "../shared/Progress";
import { SelectField } from "./Labelled";

/** The file that was written last. */
export interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly lost: readonly Lost[];
}

export interface ExportFormProps {
  readonly name: string;
  readonly accesses: number;
  /** The number of operations between accesses, which some formats can hold. */
  readonly operations: number;
  /** The number of samples; a sample may have no address. */
  readonly samples: number;
  /** The link to the screen with the samples. */
  readonly samplesAddress: string;
  /** How many parts are written; missing = no file is being written. */
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
          <span className="mono">{name}</span> has no access to save
          {samples > 0
            ? `: ${samples === 1 ? "its only sample has no" : `none of its ${counted(samples, "sample")} has a`} data address.`
            : "."}
        </p>
        {samples > 0 ? (
          <p className="t2">
            See its samples on the screen <a href={samplesAddress}>Samples</a>,
            where you can save each table as CSV.{" "}
            <code>pagewalk convert --to pagewalk</code> keeps all samples.
          </p>
        ) : null}
      </section>
    );
  const about = EXPORTS.find(({ value }) => value === format)?.about;
  return (
    <section data-testid="export-form">
      <h3>Save the open trace</h3>
      <p className="t2">
        <span className="mono">{name}</span>,{" "}
        {counted(accesses, "access", "accesses")}
      </p>
      <div className="export-row">
        <SelectField
          label="As"
          value={format}
          options={EXPORTS}
          // The options are the values of the type, so the cast is safe.
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
            {counted(accesses, "access", "accesses")}
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
        ? "All its accesses and operations are saved."
        : `Left out, as the format cannot hold it: ${lost.map(({ what, count: n }) => (n > 1 ? `${what} (${count(n)})` : what)).join(", ")}.`}
    </p>
  );
}
