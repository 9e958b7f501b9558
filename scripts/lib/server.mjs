import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// Browsers try both for "localhost", so both must be ours.
const LOOPBACK = ["127.0.0.1", "::1"];

/**
 * Serves a folder on this machine only.
 * @param {string} folder
 * @param {{port?: number, prefix?: string}} [options] port 0 = any free one; prefix = sub-path, "/" or "/a/b/"
 * @returns {Promise<{url: string, port: number, close: () => void} | undefined>} undefined = the port is taken
 */
export async function serve(folder, { port = 0, prefix = "/" } = {}) {
  const handler = (request, response) =>
    answer(folder, prefix, request, response);
  const servers = [];
  for (const host of LOOPBACK) {
    const server = createServer(handler);
    const error = await listen(
      server,
      servers[0]?.address().port ?? port,
      host,
    );
    if (!error) servers.push(server);
    else if (error.code === "EADDRINUSE" || host === LOOPBACK[0]) {
      servers.forEach((other) => other.close());
      if (error.code === "EADDRINUSE" || error.code === "EACCES")
        return undefined;
      throw error;
    }
  }
  const actual = servers[0].address().port;
  return {
    url: `http://localhost:${actual}${prefix}`,
    port: actual,
    close: () => servers.forEach((server) => server.close()),
  };
}

/** @returns the error, where the address cannot be had (a machine may lack IPv6) */
function listen(server, port, host) {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen(port, host, () => resolve(undefined));
  });
}

function answer(folder, prefix, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return end(response, 405, "Only GET and HEAD are served.");
  }
  const file = fileOf(folder, prefix, request.url ?? "/");
  const stat = file && statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return end(response, 404, "There is no such file.");
  response.writeHead(200, {
    "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
    "content-length": stat.size,
    // Only files under assets/ carry a hash of their content in their name.
    "cache-control": file.startsWith(path.join(folder, "assets"))
      ? "public, max-age=31536000, immutable"
      : "no-cache",
  });
  if (request.method === "HEAD") return response.end();
  // A visitor who leaves early is no error.
  pipeline(createReadStream(file), response, () => {});
}

/** The file that a request means, or undefined where it points out of the folder. */
function fileOf(folder, prefix, url) {
  let name;
  try {
    name = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  if (!name.startsWith(prefix) || name.includes("\0")) return undefined;
  const file = path.join(folder, name.slice(prefix.length));
  if (file !== folder && !file.startsWith(folder + path.sep)) return undefined;
  return name.endsWith("/") ? path.join(file, "index.html") : file;
}

function end(response, status, text) {
  response
    .writeHead(status, { "content-type": TYPES[".txt"] })
    .end(`${text}\n`);
}
