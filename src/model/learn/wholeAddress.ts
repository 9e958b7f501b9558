/** The cut of an address whose walk ended early: all fields are there, so the picture does not tell that it faults. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { tableName } from "../walk/tableName";
import { hex } from "../shared/hex";

/** Adds the levels that a walk did not reach, as if the address had a page of the smallest size. */
export function wholeAddress(
  translation: TranslationView,
  machine: MachineView,
): TranslationView {
  const { levels, address } = translation;
  const last = levels.at(-1);
  if (!last || last.leaf) return translation;
  const page = BigInt(address) >> BigInt(machine.offset_bits);
  return {
    ...translation,
    page_shift: machine.offset_bits,
    page_number: hex(page),
    levels: [...levels.slice(0, -1), ...levelsFrom(last, address, machine)],
  };
}

function levelsFrom(
  from: LevelView,
  address: string,
  machine: MachineView,
): readonly LevelView[] {
  if (from.level === 1) return [{ ...from, leaf: true }];
  const level = from.level - 1;
  // The lower tables share the rest of the page number.
  const bits = Math.floor((from.shift - machine.offset_bits) / level);
  const shift = from.shift - bits;
  const index =
    (BigInt(address) >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n);
  const next = {
    ...from,
    level,
    table_name: tableName(machine, [from], level),
    bits,
    shift,
    index: Number(index),
  };
  return [from, ...levelsFrom(next, address, machine)];
}
