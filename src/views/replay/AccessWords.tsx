/**
 * The access in words. Nouns light their places in the pictures and open their cards. Screen readers get the
 * whole text at each step; the visible text leaves out what the band says already, and details if `short`.
 */
import { useState } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { shownParts, textOf } from "../../model/replay/parts";
import type { Part } from "../../model/replay/parts";
import { sentenceParts } from "../../model/replay/sentence";
import { structureName } from "../../model/tlb/names";
import { Term } from "../shared/terms/Term";
import type { CardAction } from "../shared/terms/Term";
import "./words.css";

export interface AccessWordsProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The translation that the band shows. */
  readonly which?: number;
  readonly phone?: boolean;
  readonly short?: boolean;
  /** Only screen readers get the text; another part has the place. */
  readonly unseen?: boolean;
  /** Set while the replay is paused, so that screen readers read single steps and not a whole run. */
  readonly announce?: boolean;
  /** Shows an array in the TLB picture. */
  readonly onStructure?: (structure: number) => void;
}

export function AccessWords({
  machine,
  step,
  which = 0,
  phone = false,
  short = false,
  unseen = false,
  announce = false,
  onStructure,
}: AccessWordsProps) {
  const [isOpen, setOpen] = useState(false);
  const parts = sentenceParts(step, machine);
  const spoken = (
    <p className="visually-hidden" aria-live={announce ? "polite" : "off"}>
      {textOf(parts)}
    </p>
  );
  if (unseen) return spoken;
  const shown = shownParts(parts, which, short);
  return (
    <div
      className={phone && !isOpen ? "words words-folded" : "words"}
      role="group"
      aria-label="The access in words"
    >
      {spoken}
      <p className="words-text">
        {shown.map((part, at) => (
          <Word
            key={at}
            part={part}
            action={showArray(part, machine, onStructure)}
          />
        ))}
      </p>
      {phone ? (
        <button
          type="button"
          className="words-more"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "less" : "more"}
        </button>
      ) : null}
    </div>
  );
}

/** The array of a noun, as something to show. */
function showArray(
  part: Part,
  machine: MachineView,
  onStructure: AccessWordsProps["onStructure"],
): CardAction | undefined {
  if (part.kind !== "object" || part.structure === undefined) return undefined;
  const { structure } = part;
  if (!onStructure) return undefined;
  return {
    label: `Show ${structureName(machine, structure)}`,
    onPress: () => onStructure(structure),
  };
}

interface WordProps {
  readonly part: Part;
  readonly action: CardAction | undefined;
}

function Word({ part, action }: WordProps) {
  if (part.kind === "text") return part.text;
  const objects = part.kind === "object" ? part.objects : [];
  return (
    <Term term={part.term} objects={objects} action={action}>
      {part.text}
    </Term>
  );
}
