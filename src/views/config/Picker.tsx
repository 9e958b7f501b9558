/** A labelled choice of one, as a button that opens a list. */
import type { ReactNode } from "react";
import {
  Button,
  Label,
  ListBox,
  Popover,
  Select,
  SelectValue,
} from "react-aria-components";
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
  return (
    <Select
      value={selected}
      onChange={(key) => {
        if (key !== null) onSelect(String(key));
      }}
    >
      <Button className="picker">
        <Label className="picker-label">{label}</Label>
        <SelectValue className="picker-text">{text}</SelectValue>
        <Icon name="chevron" size={12} />
      </Button>
      <Popover className="popover" placement="bottom end">
        <ListBox className="menu">{children}</ListBox>
      </Popover>
    </Select>
  );
}
