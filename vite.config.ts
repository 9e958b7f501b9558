import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { clang, clangBundle, clangNotices } from "./scripts/vite/clang.mjs";

const NOTICES = "THIRD-PARTY.txt";

/** The parts of Workbox that the service worker contains. A test compares them with the built worker. */
const WORKBOX = ["core", "precaching", "routing", "strategies"];

function workboxNotice(part: string): string {
  const folder = `node_modules/workbox-${part}`;
  const { name, version, license } = JSON.parse(
    readFileSync(`${folder}/package.json`, "utf8"),
  ) as Record<"name" | "version" | "license", string>;
  const text = readFileSync(`${folder}/LICENSE`, "utf8").trim();
  return `## ${name} - ${version} (${license})\n\n${text}`;
}

/** Writes each licence once, below all packages that have it. Each package begins with a heading. */
function grouped(notices: readonly string[]): string[] {
  const packages = new Map<string, string[]>();
  for (const notice of notices) {
    const [heading = "", ...text] = notice.split("\n");
    const licence = text.join("\n").trim();
    packages.set(licence, [...(packages.get(licence) ?? []), heading]);
  }
  return [...packages].map(([licence, headings]) =>
    [...headings, "", licence].join("\n"),
  );
}

/** Adds the licences of the service worker, of the compiler and of the Rust crates to those of the npm packages, which Vite writes. */
const moreNotices: Plugin = {
  name: "more-notices",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const notices = bundle[NOTICES];
      if (notices?.type !== "asset")
        throw new Error(`No ${NOTICES} to add to.`);
      const crates = readFileSync(`sim-core/${NOTICES}`, "utf8");
      const [title = "", ...npm] = String(notices.source).split(/^(?=## )/m);
      notices.source = [
        title.trim(),
        ...grouped([...npm, ...WORKBOX.map(workboxNotice), ...clangNotices()]),
        crates,
      ].join("\n\n");
    },
  },
};

/**
 * What the page may load: its own files, and no code but that in them. Styles are set on elements. A `meta` element cannot
 * forbid other pages to frame this one, which is wanted. The trace of a link may be fetched from any https: address, after a press. The frame of programs is a file with a policy of its own.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self' https:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** In the built site only: the development server puts scripts into the page. */
const policy: Plugin = {
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
};

/** The files that a service worker keeps, so that the site opens without a network, and what an installed site looks like. */
const offline = VitePWA({
  // The page registers the worker itself, once it is idle: src/app/browser/offline.ts.
  injectRegister: false,
  // A new version waits until the user asks for it.
  registerType: "prompt",
  includeManifestIcons: false,
  manifest: {
    name: "Pagewalk",
    short_name: "Pagewalk",
    description: "An interactive simulator of TLBs and page walks.",
    theme_color: "#14181b",
    background_color: "#14181b",
    display: "standalone",
    icons: [
      { src: "favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "icons/192.png", sizes: "192x192", type: "image/png" },
      { src: "icons/512.png", sizes: "512x512", type: "image/png" },
      {
        src: "icons/maskable.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
  },
  workbox: {
    globPatterns: ["**/*"],
    // The picture of the README; the manifest, which the plugin adds itself; and the compiler, which the page keeps.
    globIgnores: ["screenshot.png", "manifest.webmanifest", "clang/*.pack"],
    maximumFileSizeToCacheInBytes: 2 ** 24,
    // Queries such as ?embed=walk choose what the page shows, not a file.
    ignoreURLParametersMatching: [/./],
    clientsClaim: true,
    // Other addresses of the host are not the site's to answer.
    navigateFallback: null,
    inlineWorkboxRuntime: true,
  },
});

/** Names the commit of a build in saved tables, as sim-core/cli/build.rs does; tests and `npm run dev` name none. */
const commit: Plugin = {
  name: "commit",
  apply: "build",
  config: () => ({
    define: {
      "import.meta.env.PAGEWALK_COMMIT": JSON.stringify(
        process.env["PAGEWALK_COMMIT"] ?? commitOfGit(),
      ),
    },
  }),
};

/** Returns nothing outside a clone: somebody else's repository says nothing about these sources. */
function commitOfGit(): string {
  const git = (...words: string[]) =>
    execFileSync("git", ["--no-optional-locks", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    git("ls-files", "--error-unmatch", "vite.config.ts");
    const isClean = git("status", "--porcelain") === "";
    return git("rev-parse", "HEAD") + (isClean ? "" : "-dirty");
  } catch {
    return "";
  }
}

interface Modules {
  readonly getModuleInfo: (
    id: string,
  ) => { readonly importedIds: readonly string[] } | null;
}

let first: Set<string> | undefined;

/** Returns whether a module is needed on opening: one file packs better than many that lazy parts share. */
function isFirst(id: string, modules: Modules): boolean {
  if (!first) {
    first = new Set([path.resolve("src/app/main.tsx")]);
    // The set grows while it is walked.
    for (const each of first)
      for (const next of modules.getModuleInfo(each)?.importedIds ?? [])
        first.add(next);
  }
  return first.has(id);
}

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
};

export default defineConfig({
  define: { "import.meta.env.PAGEWALK_VERSION": JSON.stringify(version) },
  // Relative addresses: dist/ works from any sub-path of any static host.
  base: "./",
  plugins: [
    react(),
    commit,
    clang(),
    clangBundle(),
    moreNotices,
    policy,
    offline,
  ],
  worker: { format: "es", plugins: () => [clangBundle()] },
  // The development server must not bundle it: the worker's plugin changes it.
  optimizeDeps: { exclude: ["@yowasp/clang"] },
  build: {
    target: "es2023",
    // Browsers without module preloading load the same files a little later.
    modulePreload: { polyfill: false },
    // The wasm file must stay a file of its own: the browser compiles it while it arrives.
    assetsInlineLimit: 0,
    license: { fileName: NOTICES },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: (id, context) => (isFirst(id, context) ? "first" : null),
              debugName: "first",
            },
          ],
        },
      },
    },
  },
});
