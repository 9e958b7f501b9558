/**
 * Chooses what maps all memory: a page size, or a policy of the operating system. The last item opens the
 * editor.
 */
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RecordedView } from "../../engine/generated/RecordedView";
import { rangesText } from "../../model/config/recorded";
import {
  AS_RECORDED,
  familyOf,
  policiesOf,
  policyWord,
} from "../../model/config/pagePolicies";
import { Picker } from "./Picker";

export interface PagesPickerProps {
  /** The machine's page sizes. */
  readonly sizes: readonly PageSize[];
  /** The huge page size of THP and hugetext; `null` if the machine has none. */
  readonly huge: PageSize | null;
  /** What the recording of the open trace measured, if it did. */
  readonly recorded: RecordedView | undefined;
  /** The policy for all memory, or the recorded pages; `null` if regions have policies of their own. */
  readonly value: PagePolicy | null;
  /** The choice as the button shows it. */
  readonly text: string;
  readonly onChange: (pages: PagePolicy) => void;
  readonly onEdit: () => void;
}

const REGIONS = "regions…";

export function PagesPicker(props: PagesPickerProps) {
  const { sizes, huge, recorded, value, text, onChange, onEdit } = props;
  const policies = policiesOf(sizes, huge);
  const listed = (isFixed: boolean) =>
    policies
      .filter((policy) => (familyOf(policy) === "fixed") === isFixed)
      .map((policy) => ({ key: policy, text: policyWord(policy) }));
  const regions = {
    key: REGIONS,
    text: "By region, and more…",
    full: "By region",
  };
  return (
    <Picker
      label="Pages"
      text={text}
      sections={[
        ...(recorded
          ? [
              {
                title: "the recording",
                choices: [
                  {
                    key: AS_RECORDED,
                    text: `As recorded: ${rangesText(recorded)}`,
                    full: "As recorded",
                  },
                ],
              },
            ]
          : []),
        { title: "one size", choices: listed(true) },
        { title: "huge pages of the OS", choices: listed(false) },
        { choices: [regions] },
      ]}
      selected={value}
      onSelect={(key) => (key === REGIONS ? onEdit() : onChange(key))}
    />
  );
}
