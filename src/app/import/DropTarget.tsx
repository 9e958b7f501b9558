/** Accepts files that the user drops anywhere on the page. */
import { useEffect, useState } from "react";
import { COMPRESSED_WORDS, TOOLS } from "../../model/import/formats";
import { useActions, useApp } from "../context";

export interface DropTargetProps {
  readonly onDrop: () => void;
  /** Called if the user must be asked about the file. */
  readonly onAsk: () => void;
}

export function DropTarget({ onDrop, onAsk }: DropTargetProps) {
  const { dropFile } = useActions();
  const isGrading = useApp(({ exercise }) => exercise?.role === "teacher");
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      // Leaving the window has no related element; leaving a child has one.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      setIsOver(false);
      if (files.length === 0) return;
      event.preventDefault();
      onDrop();
      void dropFile(files.map((file) => ({ file, name: file.name }))).then(
        (asks) => {
          if (asks) onAsk();
        },
      );
    };
    addEventListener("dragenter", over);
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", over);
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [dropFile, onDrop, onAsk]);
  return isOver ? (
    <div className="drop-target">
      <div>
        <p className="drop-title">
          {isGrading
            ? "Drop answers to grade them"
            : "Drop the trace to import it"}
        </p>
        <p className="t2">
          {isGrading
            ? "Files with answer lines, as many as you like."
            : `A trace of ${TOOLS}; plain or compressed as ${COMPRESSED_WORDS}.`}{" "}
          The file stays on this computer.
        </p>
      </div>
    </div>
  ) : null;
}
