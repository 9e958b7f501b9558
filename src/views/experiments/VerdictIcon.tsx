import type { Verdict } from "../../engine/generated/Verdict";
import { Icon } from "../shared/Icon";

const NAMES = { agrees: "check", undecided: "help", differs: "close" } as const;

export function VerdictIcon({ verdict }: { readonly verdict: Verdict }) {
  return <Icon name={NAMES[verdict]} size={13} />;
}
