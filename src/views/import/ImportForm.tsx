/** Where a trace comes from: a file, pasted text, or an example of the app. */
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { COMPRESSED_WORDS } from "../../model/import/formats";
import { Icon } from "../shared/Icon";
import { RecordHints } from "./RecordHints";
import "./draft.css";
import "./import.css";

export interface Source {
  readonly file: Blob;
  readonly name: string;
}

export interface Shipped {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export interface ImportFormProps {
  readonly shipped: readonly Shipped[];
  readonly onSource: (source: Source) => void;
  readonly onOpen: (id: string) => void;
  /** Opens the dialog that generates a trace. */
  readonly onGenerate: () => void;
  /** The list of kept traces. */
  readonly kept?: ReactNode;
  /** The part that saves the open trace. */
  readonly save?: ReactNode;
}

export function ImportForm(props: ImportFormProps) {
  const { shipped, onSource, onOpen, onGenerate, kept, save } = props;
  return (
    <div className="import-form">
      <div className="import-columns">
        <div className="import-column">
          <section>
            <h3>A file</h3>
            <p className="t2">
              Plain or compressed as {COMPRESSED_WORDS}. You can also drop it
              anywhere on the page. It stays on this computer: nothing is
              uploaded.
            </p>
            <div className="import-row">
              <FileButton
                onFile={(file) => onSource({ file, name: file.name })}
              />
            </div>
          </section>
          <section>
            <h3>Text</h3>
            <PasteField
              onText={(text) =>
                onSource({ file: new Blob([text]), name: "pasted text" })
              }
            />
          </section>
          <section>
            <h3>An example trace</h3>
            <ul className="import-shipped">
              {shipped.map(({ id, title, about }) => (
                <li key={id}>
                  <button
                    type="button"
                    className="btn"
                    onClick={() => onOpen(id)}
                  >
                    <span className="mono">{title}</span>
                  </button>
                  <span className="t2">{about}</span>
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h3>A workload</h3>
            <p className="t2">
              Scans, random accesses, pointer chases, matrix products, hash
              tables, allocation: generated at any length and size.
            </p>
            <div className="import-row">
              <button type="button" className="btn" onClick={onGenerate}>
                Generate a trace…
              </button>
            </div>
          </section>
          {save}
        </div>
        <div className="import-column">
          {kept}
          <RecordHints />
        </div>
      </div>
    </div>
  );
}

function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn primary"
        onClick={() => input.current?.click()}
      >
        <Icon name="open" /> Choose a file…
      </button>
      <input
        ref={input}
        type="file"
        hidden
        data-testid="import-file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          // Allows choosing the same file again, since it may have changed.
          event.target.value = "";
        }}
      />
    </>
  );
}

const EXAMPLE = `load 0x7f3a1c2b5e48 8
store 0x7f3a1c2b5e50 4
fetch 0x4011ad`;

interface PasteFieldProps {
  readonly onText: (text: string) => void;
}

function PasteField({ onText }: PasteFieldProps) {
  const id = useId();
  const [text, setText] = useState("");
  const isEmpty = text.trim() === "";
  return (
    <div className="import-paste">
      <label htmlFor={id} className="t2">
        One address per line, with kind and size if known, or the output of
        lackey.
      </label>
      <textarea
        id={id}
        className="field mono"
        rows={4}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button
        type="button"
        className="btn"
        disabled={isEmpty}
        onClick={() => onText(text)}
      >
        Preview
      </button>
    </div>
  );
}
