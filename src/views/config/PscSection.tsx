/** The walk caches: each is optional. Zen has one shared cache and stores PDEs in an L2 array. */
import type { InArray } from "../../engine/generated/InArray";
import { WALK_CACHES } from "../../engine/generated/words";
import type { PscName } from "../../model/words/walkCaches";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PscConfig } from "../../engine/generated/PscConfig";
import { capital } from "../../model/shared/format";
import { wordsOfConfig } from "../../model/words/words";
import { PscRow, withCache } from "./PscRow";

export interface PscSectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (psc: PscConfig) => void;
}

/** Walk caches that an L2 array may hold. */
const PLACED: Readonly<Record<Placed, true>> = { pde: true, unified: true };
type Placed = {
  [Name in PscName]-?: InArray extends PscConfig[Name] ? Name : never;
}[PscName];

/** Column headers of the walk caches. */
export const PSC_COLUMNS = [
  "",
  "stored in",
  "entries",
  "ways",
  "replacement",
] as const;

export function PscSection({ machine, model, onChange }: PscSectionProps) {
  const { psc, l2 } = machine;
  const words = wordsOfConfig(machine);
  const arrays = l2.map(({ name }) => name ?? "").filter((name) => name !== "");
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>{capital(words.walkCaches)}</h3>
      </div>
      <div className="config-columns config-psc" aria-hidden="true">
        {PSC_COLUMNS.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      <ul className="config-rows">
        {WALK_CACHES.map((name) => (
          <PscRow
            key={name}
            path={`psc.${name}`}
            name={name}
            words={words}
            cache={psc[name]}
            model={model?.psc[name]}
            hasModel={model !== undefined}
            places={name in PLACED ? arrays : []}
            onChange={(cache) => onChange(withCache(psc, name, cache))}
          />
        ))}
      </ul>
    </section>
  );
}
