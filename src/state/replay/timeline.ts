/** The window of the timeline and its resolution. */
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { loadTimeline } from "./scene";
import type { AppState, TraceWindow } from "../store";

/** The smallest window in accesses. */
const LEAST = 16;

export async function openWindow(
  context: Context,
  { from, to }: TraceWindow,
): Promise<void> {
  const n = context.store.getState().trace?.n_accesses ?? 0;
  const start = Math.max(0, Math.min(Math.floor(from), n - LEAST));
  const end = Math.min(n, Math.max(Math.ceil(to), start + LEAST));
  set(context, { window: { from: start, to: end } });
  await refresh(context);
}

export async function resetWindow(context: Context): Promise<void> {
  const n = context.store.getState().trace?.n_accesses ?? 0;
  set(context, { window: { from: 0, to: n } });
  await refresh(context);
}

export async function setGrid(
  context: Context,
  grid: AppState["grid"],
): Promise<void> {
  const { bins, rows } = context.store.getState().grid;
  if (bins === grid.bins && rows === grid.rows) return;
  set(context, { grid });
  await refresh(context);
}

/** While a scene is being made, its timeline comes at the end. */
async function refresh(context: Context): Promise<void> {
  if (!context.store.getState().stale)
    await reportErrors(context, () => loadTimeline(context));
}
