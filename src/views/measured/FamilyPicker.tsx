/**
 * The processor family of the events, since equal names count different things, and how Pagewalk chose it.
 */
import { useId } from "react";
import type { EventFamily } from "../../engine/generated/EventFamily";
import type { FamilyName } from "../../engine/generated/FamilyName";
import type { Measured } from "../../engine/generated/Measured";
import { familyReason } from "../../model/measured/counters";

export interface FamilyPickerProps {
  readonly families: readonly FamilyName[];
  /** The family that the user chose; `undefined` = chosen automatically. */
  readonly chosen: EventFamily | undefined;
  readonly view: Measured;
  readonly onChoose: (family: EventFamily | undefined) => void;
}

export function FamilyPicker(props: FamilyPickerProps) {
  const { families, chosen, view, onChoose } = props;
  const id = useId();
  const found = chosen === undefined ? view.family : null;
  return (
    <div className="measured-family">
      <label htmlFor={id} className="t2">
        Event names of
      </label>
      <select
        id={id}
        className="field"
        value={chosen ?? ""}
        onChange={(event) => {
          const family = families.find(({ id }) => id === event.target.value);
          onChoose(family?.id);
        }}
      >
        <option value="">{found ? found.name : "automatic"}</option>
        {families
          .filter(({ id }) => id !== found?.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
      <p className="t2 small">{familyReason(view)}</p>
    </div>
  );
}
