// The compiler of C and C++ (`@yowasp/clang`) as files of the site: packed, in the folder `clang/`, with a list of them.
// Pages load them on demand: src/app/code/compilerFiles.ts.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { cache, inRoot } from "../lib/paths.mjs";

const PACKAGE = "@yowasp/clang";
const FOLDER = "clang";
export const LIST = `${FOLDER}/index.json`;

/** The headers of other processors, of tools for other languages, and of an old C++ are a third of the resources. */
const UNUSED =
  /^include\/(c\+\+\/v1\/__cxx03|sanitizer|hlsl|ppc_wrappers|openmp_wrappers|cuda_wrappers|(__clang_(cuda|hip)|avx|amx|altivec|arm_|hexagon|hvx|opencl|vecintrin|lasx|lsx|riscv|sifive|[a-z]?mmintrin))|^share\//;

const WASM = ["", "2", "3", "4"].map((n) => `llvm.core${n}.wasm`);
const TAR = "llvm-resources.tar";

const folder = () =>
  path.dirname(createRequire(import.meta.url).resolve(PACKAGE));

/** Returns a tar archive without the files that `UNUSED` names. Folders stay. */
export function pruned(tar) {
  const kept = [];
  const text = (at, n) =>
    tar.toString("latin1", at, at + n).replace(/\0.*/s, "");
  for (let at = 0; at + 512 <= tar.length;) {
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const end = at + 512 + Math.ceil(size / 512) * 512;
    const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/");
    const isFolder = text(at + 156, 1) === "5";
    if (isFolder || !UNUSED.test(name)) kept.push(tar.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Packs one file, or takes it from the cache of an earlier build. */
async function pack(name) {
  const raw = readFileSync(path.join(folder(), name));
  const bytes = name === TAR ? pruned(raw) : raw;
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const file = `${name.replace(/\.\w+$/, "")}-${hash}.pack`;
  const kept = path.join(cache, file);
  let packed;
  try {
    packed = readFileSync(kept);
  } catch {
    packed = await promisify(gzip)(bytes, {
      level: constants.Z_BEST_COMPRESSION,
    });
    mkdirSync(cache, { recursive: true });
    // Two builds may write it at the same time.
    const part = `${kept}.${process.pid}`;
    writeFileSync(part, packed);
    renameSync(part, kept);
  }
  return { name, file, bytes: packed.length, packed };
}

let packing;

/** Returns all files by their names in the site. */
async function files() {
  const all = await Promise.all([...WASM, TAR].map(pack));
  const list = all.map(({ name, file, bytes }) => ({ name, file, bytes }));
  return new Map([
    [LIST, JSON.stringify({ files: list })],
    ...all.map(({ file, packed }) => [`${FOLDER}/${file}`, packed]),
  ]);
}

/** Returns the files; they are packed once for each server and build. */
const packed = () => (packing ??= files());

/** Puts the compiler into the built site and into the development server. */
export const clang = () => ({
  name: "clang",
  async generateBundle() {
    for (const [fileName, source] of await packed())
      this.emitFile({ type: "asset", fileName, source });
  },
  configureServer(server) {
    const { base } = server.config;
    server.middlewares.use(async (request, response, next) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      if (!pathname.startsWith(`${base}${FOLDER}/`)) return next();
      try {
        const source = (await packed()).get(pathname.slice(base.length));
        if (source === undefined) return next();
        response.setHeader(
          "Content-Type",
          pathname.endsWith(".json")
            ? "application/json"
            : "application/octet-stream",
        );
        response.end(source);
      } catch (error) {
        next(error);
      }
    });
  },
});

/** The package loads its files beside itself. In the site, a worker answers these requests: src/app/code/clang.ts. */
export const clangBundle = () => ({
  name: "clang-bundle",
  enforce: "pre",
  transform(code, id) {
    if (!id.replaceAll("\\", "/").includes(`${PACKAGE}/gen/bundle.js`)) return;
    return {
      code: code
        .replaceAll("import.meta.url", '"clang://site/"')
        .replaceAll('import("node:fs/promises")', "Promise.reject()"),
      map: null,
    };
  },
});

/** Returns the licences of the compiler and of the libraries that it links, each below a heading. */
export function clangNotices() {
  const { version } = JSON.parse(
    readFileSync(path.join(folder(), "../package.json"), "utf8"),
  );
  const apache = readFileSync(inRoot("LICENSE-APACHE"), "utf8").trim();
  const parts = [
    `${PACKAGE} - ${version} (Apache-2.0)`,
    "Clang, LLD, compiler-rt, libc++, libc++abi (Apache-2.0 WITH LLVM-exception)",
    "wasi-libc (Apache-2.0 WITH LLVM-exception)",
  ];
  const file = new URL("clang-licences.txt", import.meta.url);
  const others = readFileSync(file, "utf8").split(/^(?=## )/m);
  return [...parts.map((part) => `## ${part}\n\n${apache}`), ...others];
}
