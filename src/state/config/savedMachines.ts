/** Saved machines: keeping the shown one, choosing one, renaming, deleting, and files. */
import { readMachine } from "../../model/config/savedMachine";
import type {
  MachineFile,
  SavedMachine,
} from "../../model/config/savedMachine";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { keepError, whyFailed, whyNot } from "../import/keptActions";
import { notifyError } from "../notices";
import { becoming, change } from "./changes";
import { DEFAULT_CPU, modelOf } from "./configurations";
import type { MachinesState } from "./machineStore";
import { messageOf } from "../../model/shared/messageOf";

const machines = ({ store }: Context) => store.getState().machines;

/** Reads the list. If the browser cannot save any, the list is empty and has a reason. */
export async function loadMachines(context: Context): Promise<void> {
  try {
    const list = await context.machines.list();
    put(context, { list, problem: undefined });
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    put(context, { list: [], problem: `No machines can be saved: ${why}` });
  }
}

/** Saves the shown machine and its mapping. Resolves with the reason if that fails. */
export function saveMachine(
  context: Context,
  name: string,
): Promise<string | undefined> {
  const { configuration } = context.store.getState();
  if (!configuration) return Promise.resolve("No machine is open.");
  const { cpu, setup } = configuration;
  const { machine, os } = setup;
  return add(context, { name, cpu, machine, os });
}

function add(
  context: Context,
  { name, cpu, machine, os }: MachineFile,
): Promise<string | undefined> {
  const date = context.clock.date();
  const salt = Math.floor(Math.random() * 36 ** 4).toString(36);
  const named = { ...machine, name };
  const id = `${date.toString(36)}-${salt}`;
  return keep(context, () =>
    context.machines.put({ id, name, date, cpu, machine: named, os }),
  );
}

export async function renameMachine(
  context: Context,
  id: string,
  name: string,
): Promise<string | undefined> {
  const found = savedOf(context, id);
  if (!found) return "This machine is not saved any more.";
  const machine = { ...found.machine, name };
  return keep(context, () => context.machines.put({ ...found, name, machine }));
}

/** Deletes a machine. It can be restored until another one is deleted. */
export async function deleteMachine(
  context: Context,
  id: string,
): Promise<string | undefined> {
  const deleted = savedOf(context, id);
  const why = await keep(context, () => context.machines.remove(id));
  if (why === undefined) put(context, { deleted });
  return why;
}

export async function putBackMachine(
  context: Context,
): Promise<string | undefined> {
  const { deleted } = machines(context);
  if (!deleted) return undefined;
  const why = await keep(context, () => context.machines.put(deleted));
  if (why === undefined) put(context, { deleted: undefined });
  return why;
}

/** Keeps the machine of a file, if the core accepts it. Resolves with the reason if not. */
export async function importMachine(
  context: Context,
  file: Blob,
): Promise<string | undefined> {
  let read: MachineFile;
  try {
    read = readMachine(await file.text());
  } catch (thrown) {
    return messageOf(thrown);
  }
  const [problem] = await context.engine
    .call("checkMachine", read.machine)
    .catch((thrown: unknown) => [{ message: messageOf(thrown) }]);
  if (problem)
    return placed(problem.message, "at" in problem ? problem.at : undefined);
  const isKnown = modelOf(context.store.getState(), read.cpu) !== undefined;
  return add(context, { ...read, cpu: isKnown ? read.cpu : DEFAULT_CPU });
}

/** Simulates a saved machine with its mapping; undo returns to the one before. */
export async function chooseMachine(
  context: Context,
  id: string,
): Promise<void> {
  const saved = savedOf(context, id);
  if (!saved) return;
  const { cpu, machine, os } = saved;
  const rejected = await change(context, (state) => {
    const setup = { ...state.configuration?.setup, machine, os };
    return becoming(state, { cpu, setup });
  });
  if (rejected)
    notifyError(context, rejected, {
      kind: "setup",
      before: `“${saved.name}” cannot be simulated: `,
    });
}

function savedOf(context: Context, id: string): SavedMachine | undefined {
  return machines(context).list?.find((each) => each.id === id);
}

/** Changes the stored machines and reads them again. Resolves with the reason if that fails. */
async function keep(
  context: Context,
  work: () => Promise<void>,
): Promise<string | undefined> {
  const why = await whyFailed(work);
  await loadMachines(context);
  return why;
}

function put(context: Context, part: Partial<MachinesState>): void {
  set(context, { machines: { ...machines(context), ...part } });
}
