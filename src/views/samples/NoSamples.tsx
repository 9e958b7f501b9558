/** What the screen is for, if neither the open trace nor the example has samples. */
import { RecordSamples } from "./RecordSamples";
import "./samples.css";

export interface NoSamplesProps {
  /** Name of the open trace. */
  readonly trace: string | undefined;
  readonly onImport: () => void;
}

export function NoSamples({ trace, onImport }: NoSamplesProps) {
  return (
    <div className="samples-empty">
      <h2>No samples are open</h2>
      <p>
        {trace === undefined
          ? "This screen shows recordings of samples: "
          : `“${trace}” is a list of accesses: open it in Replay. This screen shows recordings of samples: `}
        which memory a large program uses at full speed, where its translations
        were found, and what huge pages would change. Samples are far apart, so
        nothing here depends on their order.
      </p>
      <p>
        <button type="button" className="btn primary" onClick={onImport}>
          Import a recording
        </button>{" "}
        <span className="t2">or drop it anywhere on this page</span>
      </p>
      <h3>Record samples</h3>
      <RecordSamples />
    </div>
  );
}
