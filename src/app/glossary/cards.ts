/** The texts of the glossary, loaded when the first card opens. */
import type { Card } from "../../model/glossary/cards";

let loading: Promise<readonly Card[]> | undefined;

/** The same promise for each caller, as React's `use` needs it; a failed load is repeated. */
export function loadCards(): Promise<readonly Card[]> {
  loading ??= load().catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
}

async function load(): Promise<readonly Card[]> {
  const [{ readCards }, text] = await Promise.all([
    import("../../model/glossary/cards"),
    import("../../texts/en/glossary.md?raw"),
  ]);
  return readCards(text.default);
}
