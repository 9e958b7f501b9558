/** What a program in C or C++ can do, where it ends, and what its trace lacks. */
import { counted, memorySize } from "../../model/shared/format";
import { PROGRAM_LIMITS } from "../../model/code/program";

export interface ProgramHelpProps {
  /** Whether the code is short enough for a link. */
  readonly linked: boolean;
}

export function ProgramHelp({ linked }: ProgramHelpProps) {
  const { accesses, seconds, memory } = PROGRAM_LIMITS;
  return (
    <details className="code-help">
      <summary className="t2 small">Limits, and what the trace lacks</summary>
      <dl>
        <div>
          <dt>limits</dt>
          <dd>
            {counted(accesses, "access", "accesses")},{" "}
            {counted(seconds, "second")}, {memorySize(memory)} of memory; no
            network, no files, no threads, no input: <code>scanf</code> finds
            the end of the file
          </dd>
        </div>
        <div>
          <dt>in the trace</dt>
          <dd>
            every load, store, copy and fill of the program and of its C
            library, with its line, at the addresses of a Linux process: data,
            heap and stack. A library counts for the line that calls it
          </dd>
        </div>
        <div>
          <dt>not in the trace</dt>
          <dd>
            variables that the compiler keeps in registers (with -O0 it keeps
            none there), and the fetches of the machine code: “fetches
            (estimate)” adds one before each access
          </dd>
        </div>
        <div>
          <dt>other than on Linux</dt>
          <dd>
            <code>long</code> and pointers have 4 bytes; an access through a
            null pointer and one behind an array do not stop the program while
            they stay in its memory; C++ has no exceptions; <code>%p</code>{" "}
            prints other addresses than the trace
          </dd>
        </div>
        <div>
          <dt className="mono">#define N 512 // 64..4096</dt>
          <dd>
            a slider for N, which compiles and runs again. It doubles between
            powers of two; <code>// 300, 500, 900</code> lists its steps.
          </dd>
        </div>
        <div>
          <dt>picture of the pages</dt>
          <dd>
            a cell with a walk or a fault has that colour; hits of either level
            are blue, and darker with more accesses
          </dd>
        </div>
        <div>
          <dt>F8, Shift+F8</dt>
          <dd>
            the next and the previous walk of the line at the caret, or of the
            line at the cursor if that one has no count
          </dd>
        </div>
      </dl>
      <p className="t2 small">
        The code stays in this browser
        {linked
          ? ", and a link to this page holds it."
          : "; it is too long for a link, but not for a file."}
      </p>
    </details>
  );
}
