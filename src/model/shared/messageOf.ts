/** Returns the text of anything that was thrown. The engine, which imports nothing, has its own such function. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
