/** Saves what is made when it is asked for. */
import { useState } from "react";
import { saveFile } from "./picture/saveFile";
import "./download.css";

export interface DownloadProps {
  readonly label: string;
  /** What is saved, for screen readers. */
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
      title={problem ? "This browser cannot make it" : file}
      onClick={() => void save()}
    >
      {label}
      {problem ? " failed" : ""}
    </button>
  );
}
