/** Opens a step of a lesson in the replay, where its trace becomes the open one. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import { mappingOf } from "../../model/config/cpus";
import type { Lesson } from "../../model/learn/lesson";
import { isAsRecorded } from "../../model/config/pagePolicies";
import {
  decodePermalink,
  patchedMachine,
  plainMapping,
} from "../../model/permalink/permalink";
import { modelOf } from "../config/configurations";
import type { Configuration } from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { keep } from "../import/keptActions";
import { pin } from "../replay/pin";
import { openScene } from "../replay/scene";
import { reportErrors } from "../reportErrors";
import { showScreen } from "../screens";
import type { AppState } from "../store";
import { lessonConfiguration, lessonSource } from "./run";
import { entryOf } from "./state";

export async function openInReplay(
  context: Context,
  changed: boolean,
): Promise<void> {
  const { learn, cpus } = context.store.getState();
  const at = learn?.at;
  const entry = learn && entryOf(learn, at?.lesson);
  const step = entry?.lesson.steps[(at?.step ?? 0) - 1];
  if (!at || !entry || !step) return;
  await reportErrors(context, async () => {
    const usual = lessonConfiguration(entry.lesson, cpus);
    const configuration = changed
      ? withChange(usual, entry.lesson, { cpus })
      : usual;
    const source = await lessonSource(entry.lesson, entry.text.title, context);
    await openScene(context, {
      source,
      configuration,
      openAt: step.at,
      isUndoable: true,
      isMapped: true,
    });
    const { trace, machine } = context.store.getState();
    if (trace && "text" in source)
      void keep(context, trace, Promise.resolve({ data: source.text.data }));
    showScreen(context, {});
    set(context, { back: at });
    const structure = machine?.structures.findIndex(
      ({ name }) => name === step.array,
    );
    if (structure !== undefined && structure >= 0) pin(context, structure);
  });
}

/** The machine of the lesson with the change that it suggests. */
export function withChange(
  { cpu, setup }: Configuration,
  { change = "" }: Lesson,
  known: Pick<AppState, "cpus">,
): Configuration {
  const link = decodePermalink(change);
  const model = link.cpu === undefined ? undefined : modelOf(known, link.cpu);
  const machine = patchedMachine(model?.machine ?? setup.machine, link.machine);
  const os = changedOs(model ? mappingOf(model, machine) : setup.os, link.os);
  const { cores = setup.cores } = link;
  return {
    cpu: model?.id ?? cpu,
    setup: { ...setup, machine, os, ...(cores && { cores }) },
  };
}

/** A page size replaces only that of the lesson; given pages have the old size. */
function changedOs(os: OsConfig, wanted: OsConfig | undefined): OsConfig {
  if (!wanted) return os;
  const plain = plainMapping(wanted);
  if (!plain || isAsRecorded(wanted)) return wanted;
  const { given, ...rest } = os;
  const isSame = plain.pages === os.default;
  return {
    ...rest,
    ...(given && isSame && { given }),
    default: plain.pages,
    ...(plain.virt && { virt: plain.virt }),
    ...(wanted.host && { host: wanted.host }),
  };
}
