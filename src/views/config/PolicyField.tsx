import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import { policiesOf, policyWord } from "../../model/config/pagePolicies";
import { ChoiceField } from "./ChoiceField";

/** What the machine can map pages with. */
export interface Pages {
  /** The smallest first. */
  readonly sizes: readonly PageSize[];
  /** Of THP and hugetext; `null` if the machine has none. */
  readonly huge: PageSize | null;
}

export interface PolicyFieldProps {
  readonly path: string;
  readonly label: string;
  readonly name: string;
  readonly pages: Pages;
  readonly value: PagePolicy;
  readonly help?: string;
  readonly onChange: (policy: PagePolicy) => void;
}

/** Which policy maps a region, or everything else. */
export function PolicyField(props: PolicyFieldProps) {
  const { pages, value, ...field } = props;
  const known = policiesOf(pages.sizes, pages.huge);
  // What another machine could do stays in sight until it is changed.
  const policies = known.includes(value) ? known : [...known, value];
  return (
    <ChoiceField
      {...field}
      value={value}
      choices={policies.map((policy) => ({
        value: policy,
        word: policyWord(policy),
      }))}
    />
  );
}
