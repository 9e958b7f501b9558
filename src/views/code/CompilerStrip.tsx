/** The download of the compiler: what it is, how large, how far, and what to do if it fails. */
import type { CompilerPhase } from "../../model/code/code";
import { fileSize } from "../../model/shared/format";
import { ProgressBar } from "../shared/Progress";

export interface CompilerStripProps {
  readonly compiler: CompilerPhase | undefined;
  readonly onLoad: () => void;
  readonly onCancel: () => void;
}

export function CompilerStrip(props: CompilerStripProps) {
  const { compiler, onLoad, onCancel } = props;
  if (!compiler || compiler.status === "kept") return null;
  const size = compiler.bytes > 0 ? fileSize(compiler.bytes) : undefined;
  if (compiler.status === "loading")
    return (
      <div className="code-compiler" data-testid="compiler">
        <p>
          <b>Loading the compiler</b>{" "}
          <span className="num">
            {fileSize(compiler.done)}
            {size === undefined ? "" : ` of ${size}`}
          </span>
        </p>
        <button type="button" className="btn" onClick={onCancel}>
          Cancel
        </button>
        <ProgressBar
          label="Loading the compiler"
          done={compiler.done}
          total={compiler.bytes}
        />
      </div>
    );
  const { problem } = compiler;
  return (
    <div className="code-compiler" data-testid="compiler">
      <p role={problem === undefined ? undefined : "alert"}>
        {problem === undefined ? (
          <>
            Programs in C and C++ are compiled in this browser, by clang
            {size === undefined ? "" : ` (${size})`}. It is loaded once, from
            this site, and kept.
          </>
        ) : (
          problem
        )}
      </p>
      <button type="button" className="btn primary" onClick={onLoad}>
        {problem === undefined ? "Load the compiler" : "Try again"}
      </button>
    </div>
  );
}
