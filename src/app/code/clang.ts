/** Starts the compiler from its packed files, in a worker. */
import type { Clang } from "./compile";
import type { CompilerFiles } from "./compilerFiles";

/** Throws if a file is damaged. */
export async function startClang(files: CompilerFiles): Promise<Clang> {
  const { fetch } = globalThis;
  // The package keeps the `fetch` that it finds, and asks for its files by their names.
  globalThis.fetch = (request) => unpacked(files, new URL(request as URL));
  try {
    const { commands } = await import("@yowasp/clang");
    globalThis.fetch = fetch;
    await commands.clang(undefined, {}, { fetchProgress: () => undefined });
    return commands;
  } finally {
    globalThis.fetch = fetch;
  }
}

function unpacked(files: CompilerFiles, { pathname }: URL): Promise<Response> {
  const packed = files.get(pathname.replace(/^\/+/, ""));
  if (!packed) return Promise.resolve(Response.error());
  const type = pathname.endsWith(".wasm")
    ? "application/wasm"
    : "application/octet-stream";
  const bytes = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return Promise.resolve(
    new Response(bytes, { headers: { "Content-Type": type } }),
  );
}
