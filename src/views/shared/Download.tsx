/** A button that creates a file when it is clicked and saves it. */
import { useState } from "react";
import { saveFile } from "./picture/saveFile";
import "./download.css";

export interface DownloadWords {
  /** What the button does, for screen readers. */
  readonly save: string;
  readonly failed: string;
}

export interface DownloadProps {
  readonly label: string;
  /** The content of the file, for screen readers; or all words, where the page is not in English. */
  readonly what: string | DownloadWords;
  readonly file: string;
  readonly make: () => Blob | Promise<Blob>;
}

export function Download({ label, what, file, make }: DownloadProps) {
  const words = typeof what === "string" ? wordsFor(label, what) : what;
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
      aria-label={words.save}
      title={file}
      onClick={() => void save()}
    >
      {problem ? words.failed : label}
    </button>
  );
}

const wordsFor = (label: string, what: string): DownloadWords => ({
  save: `Save “${what}” as ${label}`,
  failed: `This browser cannot create ${label}`,
});
