/** Saves the code to a file and opens it, for programs that are too long for a link. */
import { useRef, useState } from "react";
import { fileName } from "../../model/shared/csv";
import { SCRIPT_LIMITS } from "../../model/code/code";
import type { ProgramText } from "../../model/code/code";
import { Download } from "../shared/Download";

export interface ProgramFilesProps {
  readonly program: ProgramText;
  readonly onEdit: (part: Partial<ProgramText>) => void;
}

export function ProgramFiles({ program, onEdit }: ProgramFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const [rejected, setRejected] = useState<string>();
  const { name, code } = program;
  const open = async (file: File) => {
    const text = await file.text();
    const isCode = text.length <= SCRIPT_LIMITS.code && !text.includes("\0");
    setRejected(isCode ? undefined : file.name);
    if (isCode) onEdit({ name: file.name.replace(/\.js$/, ""), code: text });
  };
  const stem = fileName(name);
  return (
    <>
      <button
        type="button"
        className="btn quiet download"
        title={
          rejected === undefined
            ? "Open code from a file"
            : `${rejected} has no code`
        }
        onClick={() => input.current?.click()}
      >
        {rejected === undefined ? "Open" : "Not opened"}
      </button>
      <Download
        label="Save"
        what="The code"
        file={`${stem === "" ? "code" : stem}.js`}
        make={() => new Blob([code], { type: "text/javascript" })}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept=".js,text/javascript"
        data-testid="code-file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void open(file);
          event.target.value = "";
        }}
      />
    </>
  );
}
