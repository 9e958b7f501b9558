/** The functions that a JavaScript program can call. */

export interface ScriptHelpProps {
  /** The limits of a program, in words. */
  readonly most: string;
  /** Whether the code is short enough for a link. */
  readonly linked: boolean;
}

const CALLS: readonly (readonly [call: string, meaning: string])[] = [
  [
    "array(n, bytes)",
    "memory for n elements: a region named like the variable",
  ],
  ["load(a, i)", "reads up to 8 bytes of element i of a"],
  ["store(a, i)", "writes element i of a"],
  ["load(a, i, from)", "reads it from byte `from`: a field of a struct"],
  ["a.at(i)", "start address of a; a.length is n"],
  ["load(address, bytes)", "any address below 2⁴⁷"],
  ["random(n)", "0 to n − 1, the same in every run"],
];

export function ScriptHelp({ most, linked }: ScriptHelpProps) {
  return (
    <details className="code-help">
      <summary className="t2 small">Functions of a program</summary>
      <dl>
        {CALLS.map(([call, meaning]) => (
          <div key={call}>
            <dt className="mono">{call}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="t2 small">
        Plain JavaScript without page, network and clock; at most {most}. The
        code stays in this browser
        {linked
          ? ", and a link to this page holds it."
          : "; it is too long for a link, but not for a file."}
      </p>
    </details>
  );
}
