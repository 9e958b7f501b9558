/** The machine as JSON, which the command line reads too: to copy, save or paste. */
import { useState } from "react";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { withDefaults } from "../../model/config/defaults";
import type { Json } from "../../model/shared/mergePatch";
import { Icon } from "../shared/Icon";
import type { Apply, Rejection } from "./useDraft";
import { messageOf } from "../../model/shared/messageOf";

export interface JsonTabProps {
  readonly machine: MachineConfig;
  /** Text that is neither applied nor discarded; kept while this tab is closed. */
  readonly draft: string | null;
  readonly onDraft: (text: string | null) => void;
  readonly onMachine: Apply<MachineConfig>;
}

export function JsonTab(props: JsonTabProps) {
  const { machine, draft: typed, onDraft: setTyped, onMachine } = props;
  const [rejections, setRejections] = useState<readonly Rejection[]>([]);
  const text = typed ?? JSON.stringify(machine, null, 2);

  const apply = async () => {
    const parsed = parse(text);
    if ("message" in parsed) {
      setRejections([parsed]);
      return;
    }
    const rejected = await onMachine(parsed.machine);
    setRejections(rejected);
    if (rejected.length === 0) setTyped(null);
  };
  return (
    <div className="config-json">
      <p className="t2">
        This JSON is what <code>pagewalk run --machine</code> reads. A missing
        field gets its default; <code>{"{}"}</code> is a valid machine.
      </p>
      <textarea
        className="field mono"
        aria-label="The machine as JSON"
        aria-invalid={rejections.length > 0}
        aria-describedby={rejections.length > 0 ? "json-problem" : undefined}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          setRejections([]);
        }}
      />
      {rejections.length > 0 ? (
        <div id="json-problem" role="alert">
          {rejections.map(({ at, message }) => {
            const place = at && "field" in at ? `${at.field}: ` : "";
            return (
              <p key={`${place}${message}`} className="problem">
                {place}
                {message}
              </p>
            );
          })}
        </div>
      ) : null}
      <div className="config-actions">
        <button
          type="button"
          className="btn primary"
          disabled={typed === null}
          onClick={() => void apply()}
        >
          Apply
        </button>
        <button
          type="button"
          className="btn"
          disabled={typed === null}
          onClick={() => {
            setTyped(null);
            setRejections([]);
          }}
        >
          Discard
        </button>
        <span className="spacer" />
        <a
          className="btn"
          download={`${machine.name || "machine"}.json`}
          href={`data:application/json,${encodeURIComponent(text)}`}
        >
          <Icon name="save" /> Save as a file
        </a>
      </div>
    </div>
  );
}

function parse(text: string): { machine: MachineConfig } | Rejection {
  try {
    // `JSON.parse` returns JSON values, so the cast is safe.
    return { machine: withDefaults(JSON.parse(text) as Json) };
  } catch (error) {
    const why = messageOf(error);
    return { message: `This is not valid JSON: ${why}` };
  }
}
