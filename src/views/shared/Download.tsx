/** Saves what is made when it is asked for. */
import { useState } from "react";
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
      const address = URL.createObjectURL(await make());
      const link = document.createElement("a");
      link.href = address;
      link.download = file;
      link.click();
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
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
