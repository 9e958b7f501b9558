/** The example traces, fetched by relative address, so that the site works from any sub-path. */
import { EngineError } from "../../engine/engine";
import type { BuiltInTrace } from "../../state/import/traces";

const fetched = new Map<string, Promise<Blob>>();

/** Fetches each trace once. A failure is not stored, so that another try can succeed. */
export function fetchTrace(trace: BuiltInTrace): Promise<Blob> {
  const known = fetched.get(trace.id);
  if (known) return known;
  const blob = download(trace);
  fetched.set(trace.id, blob);
  blob.catch(() => fetched.delete(trace.id));
  return blob;
}

async function download({ file, title }: BuiltInTrace): Promise<Blob> {
  const address = new URL(
    `${import.meta.env.BASE_URL}traces/${file}`,
    document.baseURI,
  );
  const response = await fetch(address).catch((error: unknown) => {
    throw failure(title, error instanceof Error ? error.message : "");
  });
  if (!response.ok)
    throw failure(title, `the server answered ${response.status}`);
  return response.blob();
}

function failure(title: string, why: string): EngineError {
  return new EngineError(
    "bad-trace",
    `The example trace “${title}” could not be fetched: ${why}. Reload the page, or import a file of your own.`,
  );
}
