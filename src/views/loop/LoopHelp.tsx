/** What a loop can call. */

export interface LoopHelpProps {
  /** What a loop may make at most. */
  readonly most: string;
  /** The code is short enough for a link. */
  readonly linked: boolean;
}

const CALLS: readonly (readonly [call: string, meaning: string])[] = [
  [
    "array(n, bytes)",
    "memory for n elements: a region with the variable’s name",
  ],
  ["load(a, i)", "reads element i of a: up to 8 bytes of it"],
  ["store(a, i)", "writes it"],
  ["load(a, i, from)", "reads it from byte `from` on: a field of a struct"],
  ["a.at(i)", "its address; a.length is n"],
  ["load(address, bytes)", "any address below 2⁴⁷"],
  ["random(n)", "0 to n − 1, in every run the same"],
];

export function LoopHelp({ most, linked }: LoopHelpProps) {
  return (
    <details className="loop-help">
      <summary className="t2 small">What a loop can call</summary>
      <dl>
        {CALLS.map(([call, meaning]) => (
          <div key={call}>
            <dt className="mono">{call}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="t2 small">
        It is JavaScript without a page, a network and a clock: {most} at most.
        The code stays in this browser
        {linked
          ? ", and a link to this page holds it."
          : "; it is too long for a link, but not for a file."}
      </p>
    </details>
  );
}
