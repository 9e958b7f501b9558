/** An example output of perf stat that ships with the app. */

export interface StatExample {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

export interface ExamplesProps {
  readonly examples: readonly StatExample[];
  readonly onOpen: (example: StatExample) => void;
}

export function Examples({ examples, onOpen }: ExamplesProps) {
  return (
    <section className="measured-section">
      <h3>Examples</h3>
      <ul className="measured-examples">
        {examples.map((example) => (
          <li key={example.id}>
            <button
              type="button"
              className="btn"
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
