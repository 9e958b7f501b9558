/** What maps all memory: a page size, or a policy of the operating system; the last item opens the editor. */
import {
  Header,
  ListBoxItem,
  ListBoxSection,
  Separator,
} from "react-aria-components";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import { familyOf, policiesOf, policyWord } from "../../model/policies";
import { Picker } from "./Picker";

export interface PagesPickerProps {
  /** Those of the machine. */
  readonly sizes: readonly PageSize[];
  /** The page of THP and hugetext; `null` if the machine has none. */
  readonly huge: PageSize | null;
  /** `null` if regions have policies of their own. */
  readonly value: PagePolicy | null;
  /** What is chosen, as the button says it. */
  readonly text: string;
  readonly onChange: (pages: PagePolicy) => void;
  readonly onEdit: () => void;
}

const REGIONS = "regions…";

export function PagesPicker(props: PagesPickerProps) {
  const { sizes, huge, value, text, onChange, onEdit } = props;
  const policies = policiesOf(sizes, huge);
  const isFixed = (policy: PagePolicy) => familyOf(policy) === "fixed";
  const item = (policy: PagePolicy) => (
    <ListBoxItem
      key={policy}
      id={policy}
      textValue={policyWord(policy)}
      className="menu-item"
    >
      {policyWord(policy)}
    </ListBoxItem>
  );
  return (
    <Picker
      label="Pages"
      text={text}
      selected={value}
      onSelect={(key) => (key === REGIONS ? onEdit() : onChange(key))}
    >
      <ListBoxSection>
        <Header className="menu-header">one size</Header>
        {policies.filter(isFixed).map(item)}
      </ListBoxSection>
      <ListBoxSection>
        <Header className="menu-header">huge pages of the system</Header>
        {policies.filter((policy) => !isFixed(policy)).map(item)}
      </ListBoxSection>
      <Separator className="menu-line" />
      <ListBoxItem id={REGIONS} textValue="By region" className="menu-item">
        By region, and more…
      </ListBoxItem>
    </Picker>
  );
}
