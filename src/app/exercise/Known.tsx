/** Loads and shows what the question of a student needs besides its picture. */
import { useEffect, useState } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { Posed } from "../../engine/generated/Posed";
import { arrayOf } from "../../model/exercise/kinds";
import type { SayExercise } from "../../model/exercise/question";
import type { Known as KnownState } from "../../state/exercise/known";
import {
  ArrayRules,
  KnownAccesses,
  KnownTable,
} from "../../views/exercise/KnownPanels";
import { useActions } from "../context";
import { useLoaded } from "../shared/useLoaded";

export interface KnownProps {
  readonly say: SayExercise;
  /** The exercise. */
  readonly text: string;
  readonly posed: Posed;
  readonly machine: MachineView;
  readonly phone: boolean;
}

export function Known({ say, text, posed, machine, phone }: KnownProps) {
  const actions = useLoaded(useActions().exercise)?.known;
  const [found, setFound] = useState<KnownState>();
  useEffect(() => {
    let isHere = true;
    // Without it, the question still has its picture.
    actions?.known(text, posed).then(
      (known) => {
        if (isHere) setFound(known);
      },
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [actions, text, posed]);
  if (!found) return null;
  const { needs, accesses, earlier, pages, others } = found;
  const array = arrayOf(posed.ask) ?? posed.array;
  if (!needs.accesses && !needs.pages && !needs.policy) return null;
  return (
    <div className="known-panels">
      {needs.policy && array !== undefined ? (
        <ArrayRules say={say} machine={machine} array={array} />
      ) : null}
      {needs.accesses ? (
        <KnownAccesses
          say={say}
          accesses={accesses}
          earlier={earlier}
          isOpen={!phone}
        />
      ) : null}
      {needs.pages ? (
        <KnownTable say={say} pages={pages} others={others} isOpen={!phone} />
      ) : null}
    </div>
  );
}
