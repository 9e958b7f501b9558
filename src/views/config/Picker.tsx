/** A labelled choice of one, as a button that opens a list. */
import { useId } from "react";
import type { ReactNode } from "react";
import { Button, ListBox, Popover, Select } from "react-aria-components";
import { Icon } from "../shared/Icon";
import "./picker.css";

export interface PickerProps {
  readonly label: string;
  /** What is chosen, as it is written on the button. */
  readonly text: string;
  /** The key of the item that is chosen, if it is one. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  readonly children: ReactNode;
}

export function Picker(props: PickerProps) {
  const { label, text, selected, onSelect, children } = props;
  const id = useId();
  return (
    <Select
      aria-label={label}
      value={selected}
      onChange={(key) => {
        if (key !== null) onSelect(String(key));
      }}
    >
      {/* Read as it is written: what it is, then what is chosen. */}
      <Button
        className="picker"
        data-picker={label}
        aria-labelledby={`${id}-label ${id}-text`}
      >
        <span id={`${id}-label`} className="picker-label">
          {label}
        </span>{" "}
        <span id={`${id}-text`} className="picker-text">
          {text}
        </span>
        <Icon name="chevron" size={12} />
      </Button>
      <Popover className="popover" placement="bottom end">
        <ListBox className="menu">{children}</ListBox>
      </Popover>
    </Select>
  );
}
