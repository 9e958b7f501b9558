/** Adds a second program: the usual partner or a copy with one press, or an example by choice. */
import { partnerOf } from "../../model/code/examples";
import type { CodeProgram } from "../../model/code/code";
import type { CodeExample } from "../../model/code/scriptExamples";

export interface CompareWithProps {
  readonly program: CodeProgram;
  readonly examples: readonly CodeExample[];
  readonly onAdd: (example?: CodeExample) => void;
}

export function CompareWith({ program, examples, onAdd }: CompareWithProps) {
  const partner = partnerOf(program);
  const isHere = ({ build }: CodeExample) =>
    (build === undefined) === (program.build === undefined);
  const others = examples.filter(
    (each) => isHere(each) && each.id !== partner?.id,
  );
  return (
    <span className="code-compare">
      <button type="button" className="btn" onClick={() => onAdd()}>
        Compare with {partner ? `“${partner.name}”` : "a copy, to change it"}
      </button>
      <select
        className="field"
        aria-label="Compare with an example"
        value=""
        onChange={({ target: { value } }) => {
          const example = others.find(({ id }) => id === value);
          if (example) onAdd(example);
        }}
      >
        <option value="">or with …</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
