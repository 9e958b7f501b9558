/** Which page size maps all memory; the last item opens the editor of regions. */
import { ListBoxItem, Separator } from "react-aria-components";
import type { PageSize } from "../../engine/generated/PageSize";
import { Picker } from "./Picker";

export interface PagesPickerProps {
  /** Those of the machine. */
  readonly sizes: readonly PageSize[];
  /** `null` if regions have sizes of their own. */
  readonly value: PageSize | null;
  readonly onChange: (pages: PageSize) => void;
  readonly onEdit: () => void;
}

const REGIONS = "regions…";

export function PagesPicker(props: PagesPickerProps) {
  const { sizes, value, onChange, onEdit } = props;
  return (
    <Picker
      label="Pages"
      text={value ?? "by region"}
      selected={value}
      onSelect={(key) => (key === REGIONS ? onEdit() : onChange(key))}
    >
      {sizes.map((size) => (
        <ListBoxItem
          key={size}
          id={size}
          textValue={size}
          className="menu-item"
        >
          {size}
        </ListBoxItem>
      ))}
      <Separator className="menu-line" />
      <ListBoxItem id={REGIONS} textValue="By region" className="menu-item">
        By region…
      </ListBoxItem>
    </Picker>
  );
}
