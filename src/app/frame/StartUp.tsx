import { useApp } from "../context";

/** Shows empty frames of the pictures, before there is anything to draw. */
export function StartUp() {
  const task = useApp((state) => state.task);
  const sentence = task ? `${task.label} …` : "No trace is open.";
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
        </section>
        <section className="panel" aria-label="TLB">
          <div className="panel-header">
            <h2>TLB</h2>
          </div>
        </section>
      </div>
    </>
  );
}
