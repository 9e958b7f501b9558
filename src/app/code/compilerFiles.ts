/** The files of the compiler: loaded from the site once, and kept in the browser for the next time. */
import type { CompilerState } from "../../model/code/program";

/** `scripts/vite/clang.mjs` writes the list. The name of a file changes with its contents. */
interface List {
  readonly files: readonly Listed[];
}

interface Listed {
  readonly name: string;
  readonly file: string;
  /** The packed size. */
  readonly bytes: number;
}

/** The packed files by their names. */
export type CompilerFiles = ReadonlyMap<string, Blob>;

const CACHE = "pagewalk-clang";

const listUrl = (base: string) => new URL("clang/index.json", base).href;

/** `base` is the address of the page. */
export async function keptCompiler(base: string): Promise<CompilerState> {
  const [files, cache] = await Promise.all([readList(base), openCache()]);
  const kept = await Promise.all(
    files.map(async ({ url }) => cache?.match(url).catch(() => undefined)),
  );
  return {
    isKept: kept.every((response) => response !== undefined),
    bytes: sumOf(files),
  };
}

/** Throws if a file is missing and cannot be loaded. Those that have arrived are kept. */
export async function compilerFiles(
  base: string,
  onProgress: (done: number, total: number) => void,
): Promise<CompilerFiles> {
  const [files, cache] = await Promise.all([readList(base), openCache()]);
  const total = sumOf(files);
  let done = 0;
  const arrived = (bytes: number) => onProgress((done += bytes), total);
  const blobs = await Promise.all(
    files.map(async (file) => {
      const kept = await cache?.match(file.url).catch(() => undefined);
      const blob = await kept?.blob();
      if (blob?.size === file.bytes) {
        arrived(file.bytes);
        return [file.name, blob] as const;
      }
      const loaded = await download(file, arrived);
      // Storage may be full: then the compiler lasts as long as the page.
      await cache?.put(file.url, new Response(loaded)).catch(() => undefined);
      return [file.name, loaded] as const;
    }),
  );
  await dropOthers(cache, new Set(files.map(({ url }) => url)));
  return new Map(blobs);
}

/** Forgets all files, because one of them is damaged. */
export async function dropCompiler(): Promise<void> {
  await globalThis.caches.delete(CACHE).catch(() => false);
}

async function readList(
  base: string,
): Promise<readonly (Listed & { readonly url: string })[]> {
  const list = listUrl(base);
  const { files } = (await (await found(list)).json()) as List;
  return files.map((each) => ({ ...each, url: new URL(each.file, list).href }));
}

async function found(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`the server answered ${response.status} for ${url}`);
  return response;
}

async function download(
  { url, bytes }: Listed & { readonly url: string },
  arrived: (bytes: number) => void,
): Promise<Blob> {
  const { body } = await found(url);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      arrived(part.length);
      controller.enqueue(part);
    },
  });
  const blob = await new Response(body?.pipeThrough(counted)).blob();
  if (blob.size !== bytes)
    throw new Error(`${url} has ${blob.size} bytes instead of ${bytes}`);
  return blob;
}

/** Without https, and where a user forbids storage, there is none. */
async function openCache(): Promise<Cache | undefined> {
  const caches = globalThis.caches as CacheStorage | undefined;
  return caches?.open(CACHE).catch(() => undefined);
}

/** Deletes the files of earlier versions. */
async function dropOthers(
  cache: Cache | undefined,
  urls: ReadonlySet<string>,
): Promise<void> {
  for (const { url } of (await cache?.keys()) ?? [])
    if (!urls.has(url)) await cache?.delete(url);
}

function sumOf(files: readonly Listed[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
