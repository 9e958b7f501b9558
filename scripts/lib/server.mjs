import { root } from "./paths.mjs";

/**
 * Serves a folder on this machine only, with Vite's preview server.
 * @param {string} folder
 * @param {{port?: number, prefix?: string}} [options] port: the first to try; prefix: a sub-path, "/" or "/a/b/"
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serve(folder, { port = 4173, prefix = "/" } = {}) {
  // `npm start` loads this file before the npm packages are installed.
  const { preview } = await import("vite");
  const server = await preview({
    root,
    base: prefix,
    // A missing file is an error, not the first page.
    appType: "mpa",
    logLevel: "error",
    build: { outDir: folder },
    preview: { port },
  });
  const [url] = server.resolvedUrls.local;
  return { url, close: () => server.close() };
}
