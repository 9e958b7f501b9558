/** The example outputs of perf stat. */
import type { StatExample } from "../../model/measured/examples";

export interface ExamplesProps {
  readonly examples: readonly StatExample[];
  /** The example that is open. */
  readonly shown: StatExample | undefined;
  readonly onOpen: (example: StatExample) => void;
}

export function Examples({ examples, shown, onOpen }: ExamplesProps) {
  return (
    <section className="measured-section">
      <h3>Examples</h3>
      <ul className="measured-examples">
        {examples.map((example) => (
          <li key={example.id}>
            <button
              type="button"
              className="btn"
              aria-pressed={example.id === shown?.id}
              onClick={() => onOpen(example)}
            >
              {example.title}
            </button>
            <span className="t2">{example.about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
