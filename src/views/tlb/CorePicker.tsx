/** Chooses the core whose TLBs and walk caches are shown: the access's own, or a fixed one. */
import type { CoreChoice } from "../../model/config/cores";

export interface CoreControl {
  readonly choices: readonly CoreChoice[];
  /** The chosen core; `undefined` follows the access. */
  readonly shown: number | undefined;
  readonly onChange: (core: number | undefined) => void;
}

/** The name of the shown core, if core `core` makes the access: `thread 41`; empty if there is only one. */
export function shownCore(
  cores: CoreControl | undefined,
  core: string,
): string {
  const chosen = cores?.choices.find((choice) => choice.core === cores.shown);
  return chosen?.name ?? core;
}

const FOLLOW = "follow";

/** The choice that follows the access, whose core is `core`. */
export const followText = (core: string) => `follow: ${core}`;

/** `core` names the core of the access: `thread 41`. */
export function CorePicker({
  core,
  choices,
  shown,
  onChange,
}: CoreControl & { readonly core: string }) {
  return (
    <select
      className="tlb-core-picker"
      aria-label="Whose core is shown"
      title="Each core has its own TLBs and walk caches; “follow” shows the core that makes the access"
      value={shown === undefined ? FOLLOW : String(shown)}
      onChange={({ target }) =>
        onChange(target.value === FOLLOW ? undefined : Number(target.value))
      }
    >
      <option value={FOLLOW}>{followText(core)}</option>
      {choices.map((choice) => (
        <option key={choice.core} value={choice.core}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
