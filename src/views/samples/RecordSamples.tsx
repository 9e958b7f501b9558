/** The commands that record samples. */
import { CommandLine } from "../shared/CommandLine";

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

export function RecordSamples() {
  return COMMANDS.map(({ what, command }) => (
    <div key={what} className="samples-command">
      <p className="t2">{what}</p>
      <CommandLine text={command} what={what} />
    </div>
  ));
}
