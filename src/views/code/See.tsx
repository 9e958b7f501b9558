/** What an example shows. If the text is not about this run, it says why, and a button makes it so. */
import type { CodeHome } from "../../model/code/code";
import type { WhatToSee } from "../../model/code/see";

export interface SeeProps {
  readonly see: WhatToSee;
  readonly home: CodeHome | undefined;
  /** Changes to the machine that the text is about. */
  readonly onHome: () => void;
  /** Runs the example again, as it was. */
  readonly onRestore: () => void;
}

export function See({ see, home, onHome, onRestore }: SeeProps) {
  const { text, why, remedy, of } = see;
  const what = "programs" in of ? "the examples" : "the example";
  return (
    <p className="code-see">
      <b>What to see</b>{" "}
      <span className={why === undefined ? undefined : "t3"}>{text}</span>
      {why === undefined ? null : (
        <span className="code-why">
          {" "}
          {why}{" "}
          {remedy === "restore" ? (
            <button type="button" className="btn" onClick={onRestore}>
              Restore {what}
            </button>
          ) : (
            <button type="button" className="btn" onClick={onHome}>
              Run on {home?.name}
            </button>
          )}
        </span>
      )}
    </p>
  );
}
