/** A button that creates a file when it is clicked and saves it. */
import { useState } from "react";
import { saveFile } from "./picture/saveFile";
import "./download.css";

export interface DownloadProps {
  readonly label: string;
  /** The content of the file, for screen readers. */
  readonly what: string;
  readonly file: string;
  readonly make: () => Blob | Promise<Blob>;
}

export function Download({ label, what, file, make }: DownloadProps) {
  const [problem, setProblem] = useState(false);
  const save = async () => {
    try {
      saveFile(await make(), file);
      setProblem(false);
    } catch {
      setProblem(true);
    }
  };
  return (
    <button
      type="button"
      className="btn quiet download"
      aria-label={`Save “${what}” as ${label}`}
      title={problem ? "This browser cannot create it" : file}
      onClick={() => void save()}
    >
      {label}
      {problem ? " failed" : ""}
    </button>
  );
}
