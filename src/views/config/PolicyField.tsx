import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import { policiesOf, policyWord } from "../../model/config/pagePolicies";
import { ChoiceField } from "./ChoiceField";

/** The ways in which the machine can map pages. */
export interface Pages {
  /** Page sizes, smallest first. */
  readonly sizes: readonly PageSize[];
  /** The huge page size of THP and hugetext; `null` if the machine has none. */
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

/** Chooses the policy of a region, or of all other memory. */
export function PolicyField(props: PolicyFieldProps) {
  const { pages, value, ...field } = props;
  const known = policiesOf(pages.sizes, pages.huge);
  // A policy that this machine lacks stays in the list until the user changes it.
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
