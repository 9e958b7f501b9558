import { Fragment, useState } from "react";
import { Icon } from "./Icon";
import "./controls.css";

export interface CommandLineProps {
  readonly text: string;
  /** What the command does, for screen readers. */
  readonly what: string;
  /** What the text is, if it is no command. */
  readonly of?: string;
}

/** A command with a button that copies it. Long lists break after commas. */
export function CommandLine({ text, what, of = "command" }: CommandLineProps) {
  return (
    <div className="command-line">
      <code>
        {text.split(/(?<=,)/).map((part, at) => (
          <Fragment key={at}>
            {at > 0 ? <wbr /> : null}
            {part}
          </Fragment>
        ))}
      </code>
      <CopyButton key={text} text={text} what={`the ${of} for ${what}`} />
    </div>
  );
}

function CopyButton({ text, what }: CommandLineProps) {
  const [message, setMessage] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage("Copied");
    } catch {
      setMessage("Select it and copy");
    }
  };
  return (
    <button
      type="button"
      className="btn"
      aria-label={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name="copy" /> <span role="status">{message ?? "Copy"}</span>
    </button>
  );
}
