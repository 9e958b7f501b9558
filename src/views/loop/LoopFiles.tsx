/** Saves the code to a file and opens it, for loops that are too long for a link. */
import { useRef, useState } from "react";
import { fileName } from "../../model/shared/csv";
import { LOOP_LIMITS } from "../../model/loop/loop";
import type { LoopCode } from "../../model/loop/loop";
import { Download } from "../shared/Download";

export interface LoopFilesProps {
  readonly loop: LoopCode;
  readonly onEdit: (part: Partial<LoopCode>) => void;
}

export function LoopFiles({ loop, onEdit }: LoopFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const [rejected, setRejected] = useState<string>();
  const { name, code } = loop;
  const open = async (file: File) => {
    const text = await file.text();
    const isCode = text.length <= LOOP_LIMITS.code && !text.includes("\0");
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
            : `${rejected} has no loop code`
        }
        onClick={() => input.current?.click()}
      >
        {rejected === undefined ? "Open" : "Not opened"}
      </button>
      <Download
        label="Save"
        what="The code"
        file={`${stem === "" ? "loop" : stem}.js`}
        make={() => new Blob([code], { type: "text/javascript" })}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept=".js,text/javascript"
        data-testid="loop-file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void open(file);
          event.target.value = "";
        }}
      />
    </>
  );
}
