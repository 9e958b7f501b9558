/** What a step of a lesson shows: the access after it ran, or everything as it was before. */
import type { Ask } from "../../engine/generated/Ask";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { stepOn } from "../config/cores";
import { noTranslation } from "../replay/noTranslation";
import type { ArrayColumns } from "../tlb/array";
import { nestedGrid } from "../walk/nested/grid";
import { isRead } from "../walk/nested/grid";
import { walkSteps } from "../walk/nested/steps";
import { refusedWalk } from "../walk/refused";
import { nativeSteps } from "../walk/steps";
import type { Lesson, LessonStep } from "./lesson";
import { wholeAddress } from "./wholeAddress";

/** The machine at one access. */
export interface Scene {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly columns: readonly ArrayColumns[];
  /** The state right after the access before; missing at the first access. */
  readonly earlier?: Pick<Scene, "step" | "columns">;
}

export interface Picture {
  readonly machine: MachineView;
  /** The access that the walk shows. */
  readonly step: StepView;
  /** The access that the address and the arrays show; before the access, it has done nothing yet. */
  readonly done: StepView;
  /** What `done` is for the core whose arrays are shown: another core sees only its invalidations. */
  readonly seen: StepView;
  readonly columns: readonly ArrayColumns[];
  readonly isBefore: boolean;
  /** Whether a question waits for its answer: what the picture would tell is hidden. */
  readonly isAsking: boolean;
  /** The step of the walk; −1 is before its first reference, and `null` shows the whole walk. */
  readonly walkAt: number | null;
  /** The array that is shown, and whose key the bits show. */
  readonly structure: number | undefined;
}

/** A step that asks shows the state before the access until it is `answered`. */
export function pictureOf(
  scene: Scene,
  step: LessonStep,
  answered: boolean,
): Picture {
  const shown = asked(shownPicture(scene, step, answered));
  const picture = { ...shown, seen: stepOn(shown.done, step.core) };
  return picture.isAsking && step.ask && namesNext(step.ask.ask)
    ? { ...picture, columns: picture.columns.map(withoutNext) }
    : picture;
}

/** A step of a lesson. The entry that leaves next has a mark only in lessons that ask for it. */
export function lessonPicture(
  scene: Scene,
  { steps }: Pick<Lesson, "steps">,
  step: LessonStep,
  answered: boolean,
): Picture {
  const picture = pictureOf(scene, step, answered);
  return steps.some(({ ask }) => ask?.ask.kind === "victim")
    ? picture
    : { ...picture, columns: picture.columns.map(withoutNext) };
}

/** While a question waits, each address is cut as if it had a page. */
function asked<P extends Pick<Picture, "isAsking" | "done" | "machine">>(
  picture: P,
): P {
  const { isAsking, done, machine } = picture;
  if (!isAsking) return picture;
  const translations = done.translations.map((each) =>
    wholeAddress(each, machine),
  );
  return { ...picture, done: { ...done, translations } };
}

/** Whether the mark of the entry that leaves next would be the answer. */
function namesNext({ kind }: Ask): boolean {
  return kind === "victim" || kind === "way";
}

function withoutNext(array: ArrayColumns): ArrayColumns {
  return { ...array, next: array.next.map(() => NO_WAY) };
}

/** No set has a way with this number. */
const NO_WAY = 0xffff;

/** Whether sets mark the entry that leaves next. */
export function marksNext({ next }: Pick<ArrayColumns, "next">): boolean {
  return next.some((way) => way !== NO_WAY);
}

function shownPicture(
  scene: Scene,
  { before, ask, walk, array }: LessonStep,
  answered: boolean,
): Omit<Picture, "seen"> {
  const { machine, step } = scene;
  const isBefore = ask ? !answered : before;
  const found = machine.structures.findIndex(({ name }) => name === array);
  const shared = {
    machine,
    step,
    isBefore,
    isAsking: ask !== undefined && !answered,
    structure: found < 0 ? undefined : found,
  };
  const reference =
    ask && answered && walk !== undefined ? afterAnswer(ask.ask, walk) : walk;
  if (reference !== undefined) {
    const walkAt = stepOfReference(step, machine, reference);
    return {
      ...shared,
      ...(walkAt < 0 && { step: toWalk(step, machine) }),
      isBefore: false,
      ...stateBefore(scene),
      walkAt,
    };
  }
  if (isBefore)
    return {
      ...shared,
      step: toWalk(step, machine),
      ...stateBefore(scene),
      walkAt: -1,
    };
  return { ...shared, done: step, columns: scene.columns, walkAt: null };
}

/** A question about the next reference ends with it; after another one, the walk is done. */
function afterAnswer({ kind }: Ask, walk: number): number | undefined {
  return kind === "entry-address" || kind === "field" ? walk + 1 : undefined;
}

/**
 * An access whose walk is still to come. All look equal: nothing tells that a TLB or a walk cache will hit, or that the
 * walk will end with an exception.
 */
function toWalk(step: StepView, machine: MachineView): StepView {
  const translation =
    step.translations[0] ?? refusedWalk(step, machine)?.translation;
  if (!translation) return step;
  const { levels } = translation;
  const rest = { ...step };
  for (const key of ["refused", "acts", "exits"] as const)
    Reflect.deleteProperty(rest, key);
  return {
    ...rest,
    before: [],
    after: [],
    exception: null,
    outcome: "walk",
    translations: [
      {
        ...untouched(translation),
        outcome: "walk",
        refs: levels.length,
        levels: levels.map((level, at) => ({
          ...level,
          state: "read",
          order: at + 1,
          served_by: null,
          cycles: null,
        })),
      },
    ],
  };
}

function stateBefore(scene: Scene): Pick<Picture, "done" | "columns"> {
  const { machine, step, earlier } = scene;
  const rest = { ...step };
  for (const key of ["refused", "acts", "exits"] as const)
    Reflect.deleteProperty(rest, key);
  const walked = refusedWalk(step, machine)?.translation;
  const translations =
    step.translations.length > 0
      ? step.translations
      : [walked ?? noTranslation(step)];
  const columns = earlier?.columns ?? unfilled(scene);
  return {
    columns,
    done: {
      ...rest,
      translations: translations.map(untouched),
      exception: null,
      before: [],
      after: [],
      in_use: columns.map(inUse),
    },
  };
}

/** The address in its bits, without anything that was looked up or read. */
function untouched(translation: TranslationView): TranslationView {
  return {
    ...translation,
    tlb: [],
    psc: [],
    fills: [],
    left: [],
    refs: 0,
    levels: translation.levels.map((level) => ({
      ...level,
      state: "skipped-by-tlb",
    })),
  };
}

function inUse({ keyShift }: ArrayColumns): number {
  return keyShift.reduce((sum, shift) => sum + (shift === 0 ? 0 : 1), 0);
}

/** The contents without the hits and the fills of the first access. */
function unfilled({ machine, step, columns }: Scene): readonly ArrayColumns[] {
  const next = columns.map((each) => ({
    ...each,
    keys: each.keys.slice(),
    keyShift: each.keyShift.slice(),
    hits: each.hits.slice(),
    next: each.next.slice(),
  }));
  const slotOf = (structure: number, set: number, way: number) =>
    set * (machine.structures[structure]?.ways ?? 1) + way;
  for (const { structure, set, way } of step.translations.flatMap(
    (each) => each.tlb,
  )) {
    const slot = slotOf(structure, set, way ?? 0);
    const hits = next[structure]?.hits;
    if (hits && way !== null) hits[slot] = (hits[slot] ?? 1) - 1;
  }
  const fills = step.translations.flatMap((each) => each.fills);
  for (const { structure, set, way, evicted } of fills.toReversed()) {
    const array = next[structure];
    const slot = slotOf(structure, set, way);
    if (!array) continue;
    array.keyShift[slot] = evicted?.key_shift ?? 0;
    array.keys[slot] = BigInt(evicted?.key ?? 0);
    array.next[set] = way;
  }
  return next;
}

/** The step of the walk that is its `n`-th reference; −1 is before the first, and after the last comes the page. */
function stepOfReference(
  step: StepView,
  machine: MachineView,
  n: number,
): number {
  if (n === 0) return -1;
  const [found] = step.translations;
  const refused = found ? null : refusedWalk(step, machine);
  const translation = found ?? refused?.translation;
  if (!translation) return -1;
  const { nested } = translation;
  const isReference = nested
    ? walkSteps(nestedGrid(nested, translation, machine)).map(({ cells }) =>
        cells.some(isRead),
      )
    : nativeSteps({
        translation,
        machine,
        kind: step.access.kind,
        refusal: refused?.refusal ?? null,
      }).map(({ kind }) => kind === "read");
  const places = isReference.flatMap((is, at) => (is ? [at] : []));
  return places[n - 1] ?? isReference.length - 1;
}
