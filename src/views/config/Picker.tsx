/** A labelled choice of one, as a button that opens a list. */
import { useId } from "react";
import { Icon } from "../shared/Icon";
import type { ListSection } from "../shared/opener/FloatingList";
import { FloatingList, Opener } from "../shared/opener/Opener";
import "./picker.css";

export interface PickerProps {
  readonly label: string;
  /** The choice as the button shows it. */
  readonly text: string;
  /** The choice in few characters, shown instead. */
  readonly short?: string | undefined;
  readonly sections: readonly ListSection[];
  /** The key of the selected choice, if it is in the list. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

export function Picker(props: PickerProps) {
  const { label, text, short, sections, selected, onSelect } = props;
  const id = useId();
  return (
    <Opener
      opens="listbox"
      className="picker"
      data-picker={label}
      // Screen readers read the label first, then the choice.
      aria-labelledby={`${id}-label ${id}-text`}
      face={
        <>
          <span id={`${id}-label`} className="picker-label">
            {label}
          </span>{" "}
          <PickerText id={`${id}-text`} text={text} short={short} />
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingList
          {...floating}
          label={label}
          sections={sections}
          selected={selected}
          onSelect={onSelect}
        />
      )}
    </Opener>
  );
}

/** The choice. Screen readers read all of it, also where the button shows a short word. */
export function PickerText({
  id,
  text,
  short,
}: {
  readonly id?: string;
  readonly text: string;
  readonly short: string | undefined;
}) {
  return (
    <>
      <span id={id} hidden={short !== undefined} className="picker-text">
        {text}
      </span>
      {short === undefined ? null : (
        <span className="picker-text" title={text}>
          {short}
        </span>
      )}
    </>
  );
}
