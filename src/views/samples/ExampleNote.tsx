/** Says that the samples are an example, and how to see samples of one's own. */
import { RecordSamples } from "./RecordSamples";
import "./samples.css";

export interface ExampleNoteProps {
  readonly about: string;
  readonly onImport: () => void;
}

export function ExampleNote({ about, onImport }: ExampleNoteProps) {
  return (
    <section className="samples-example" aria-label="Example">
      <p>
        <b>Example.</b> {about} Drop a recording of your own anywhere on this
        page, or{" "}
        <button type="button" className="btn" onClick={onImport}>
          Import a recording
        </button>
      </p>
      <details>
        <summary>Record samples of your own program</summary>
        <RecordSamples />
      </details>
    </section>
  );
}
