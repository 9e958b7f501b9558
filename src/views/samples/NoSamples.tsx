/** What the screen is for, if the trace has no samples. */
import { CommandLine } from "../shared/CommandLine";
import "./samples.css";

const COMMANDS = [
  {
    what: "Loads and stores, with the TLB's level and the page's size (Intel, AMD with IBS, Arm with SPE)",
    command:
      "perf mem record -p --data-page-size -o mem.perf.data -- ./my-program",
  },
  {
    what: "Where the time goes, for the pages of code",
    command: "perf record -e cycles:u -o code.perf.data -- ./my-program",
  },
  {
    what: "First touches of pages, without hardware counters",
    command:
      "perf record -e page-faults -c 1 -d -o faults.perf.data -- ./my-program",
  },
] as const;

export interface NoSamplesProps {
  /** Name of the open trace. */
  readonly trace: string | undefined;
  readonly onImport: () => void;
}

export function NoSamples({ trace, onImport }: NoSamplesProps) {
  return (
    <div className="samples-empty">
      <h2>No samples are open</h2>
      <p>
        {trace === undefined
          ? "This screen shows recordings of samples: "
          : `“${trace}” is a list of accesses: open it in Replay. This screen shows recordings of samples: `}
        which memory a large program uses at full speed, where its translations
        were found, and what huge pages would change. Samples are far apart, so
        nothing here depends on their order.
      </p>
      <p>
        <button type="button" className="btn primary" onClick={onImport}>
          Import a recording
        </button>{" "}
        <span className="t2">or drop it anywhere on this page</span>
      </p>
      <h3>Record samples</h3>
      {COMMANDS.map(({ what, command }) => (
        <div key={what} className="samples-command">
          <p className="t2">{what}</p>
          <CommandLine text={command} what={what} />
        </div>
      ))}
    </div>
  );
}
