/** Commands to record a trace, by processor. */
import { useState } from "react";
import { RECORDERS } from "../../model/import/recording";
import type { Recorder } from "../../model/import/recording";
import { CommandLine } from "../shared/CommandLine";
import { Segmented } from "../shared/Segmented";

export function RecordHints() {
  const [id, setId] = useState<Recorder["id"]>("any");
  const recorder = RECORDERS.find((recorder) => recorder.id === id);
  return (
    <section data-testid="record-hints">
      <h3>Record a trace</h3>
      <Segmented
        label="Processor"
        choices={RECORDERS.map(({ id, word }) => ({ value: id, label: word }))}
        value={id}
        onChange={setId}
      />
      {recorder?.recordings.map(({ tool, command, about }) => (
        <div key={tool} className="import-command">
          <p className="t2">{tool}</p>
          <CommandLine text={command} what={tool} />
          <p className="t2 small">{about}</p>
        </div>
      ))}
      <p className="t2 small import-command">
        {id === "any"
          ? "These record every access. Hits and misses are then exact for the simulated machine."
          : "These record samples or first touches. They show which pages are used and what the processor measured, not the misses of another TLB."}
      </p>
    </section>
  );
}
