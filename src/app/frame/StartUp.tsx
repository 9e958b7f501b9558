import { counted } from "../../model/shared/format";
import { useApp } from "../context";

/** Four tables and the page. */
const FRAMES = [4, 3, 2, 1, 0];

/** Shows empty frames of the pictures before there is anything to draw, or why a trace could not be opened. */
export function StartUp() {
  const task = useApp((state) => state.task);
  const failed = useApp(
    ({ notices }) => notices.find(({ kind }) => kind === "import")?.text,
  );
  const n = useApp((state) => state.trace?.n_accesses ?? 0);
  const of = n > 0 ? ` ${counted(n, "access", "accesses")}` : "";
  const sentence = task ? `${task.label}${of} …` : "No trace is open.";
  return (
    <>
      <div className="replay-access access access-empty" />
      <div className="replay-panels">
        <section className="panel" aria-label="Walk">
          <div className="panel-header">
            <h2>Walk</h2>
            <span className="t2 small" role="status">
              {sentence}
            </span>
          </div>
          {failed === undefined ? (
            <div className="start-walk" aria-hidden="true">
              {FRAMES.map((frame) => (
                <span key={frame} />
              ))}
            </div>
          ) : (
            <p className="start-failed">{failed}</p>
          )}
        </section>
        <section className="panel" aria-label="TLB">
          <div className="panel-header">
            <h2>TLB</h2>
          </div>
          <div className="start-tlb" aria-hidden="true" />
        </section>
      </div>
    </>
  );
}
