/** How to record a trace, as commands to copy. */
import { CommandLine } from "../shared/CommandLine";

const COMMANDS = [
  {
    tool: "valgrind lackey",
    command:
      "valgrind --tool=lackey --trace-mem=yes --log-file=my.lackey ./my-program",
    about:
      "Every access of the program, about 100 times slower. 10⁷ accesses are 200 MB of text; xz makes 2 MB of it.",
  },
  {
    tool: "packed while it is recorded",
    command:
      "valgrind --tool=lackey --trace-mem=yes --log-fd=9 ./my-program 9>&1 1>/dev/null | xz -T0 > my.lackey.xz",
    about:
      "The same without the large file; the program's own output is dropped.",
  },
  {
    tool: "perf, samples with the TLB's level (Intel, AMD with IBS, Arm with SPE)",
    command: "perf mem record -p --data-page-size ./my-program",
    about:
      "Samples, not every access: they show which pages are used, not how often a TLB would miss. Import perf.data.",
  },
  {
    tool: "perf, first touches of pages, without hardware counters",
    command: "perf record -e page-faults -c 1 -d ./my-program",
    about: "Every page fault, with its address.",
  },
  {
    tool: "perf script, the samples as text",
    command:
      "perf script -F comm,pid,tid,cpu,time,period,event,addr,ip,sym,dso,data_src,weight --show-mmap-events > my.perf.txt",
    about:
      "The same samples as text; for page faults, leave out data_src and weight.",
  },
] as const;

export function RecordHints() {
  return (
    <section>
      <h3>To record one</h3>
      {COMMANDS.map(({ tool, command, about }) => (
        <div key={tool} className="import-command">
          <p className="t2">{tool}</p>
          <CommandLine text={command} what={tool} />
          <p className="t2 small">{about}</p>
        </div>
      ))}
    </section>
  );
}
