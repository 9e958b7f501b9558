/**
 * The access in words. Nouns light their places in the pictures and open their cards. Screen readers get the
 * whole text at each step; the visible text leaves out what the band says already, and details if `short`.
 */
import { useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
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
  const shown = shownParts(parts, which, short);
  const line = useRef<HTMLParagraphElement>(null);
  const isCut = useCut(line, textOf(shown), isOpen);
  const spoken = (
    <p className="visually-hidden" aria-live={announce ? "polite" : "off"}>
      {textOf(parts)}
    </p>
  );
  if (unseen) return spoken;
  return (
    <div
      className={phone && !isOpen ? "words words-folded" : "words"}
      role="group"
      aria-label="The access in words"
    >
      {spoken}
      <p ref={line} className="words-text">
        {shown.map((part, at) => (
          <Word
            key={at}
            part={part}
            action={showArray(part, machine, onStructure)}
          />
        ))}
      </p>
      {phone && (isOpen || isCut) ? (
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

/** Whether folded words hide some of their text. */
function useCut(
  line: RefObject<HTMLElement | null>,
  text: string,
  isOpen: boolean,
): boolean {
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const box = line.current;
    if (!box || isOpen || !("ResizeObserver" in window)) return;
    // It reports once for each text, too.
    const observer = new ResizeObserver(() =>
      setCut(box.scrollHeight > box.clientHeight + 1),
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [line, text, isOpen]);
  return isCut;
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
