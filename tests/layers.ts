import path from "node:path";

/** Folder → the folders that it may import, as ARCHITECTURE.md's table has them. */
export type Layers = ReadonlyMap<string, readonly string[]>;

/** Reads rows of the form `| src/state | src/engine, src/model |`; `–` is nothing, `all` is every row. */
export function readLayers(markdown: string): Layers {
  const rows = [...markdown.matchAll(/^\| (src\/\w+) +\|(.*)\|$/gm)];
  const names = rows.map(([, layer]) => layer ?? "");
  return new Map(
    rows.map(([, layer, list]) => {
      const allowed = list?.trim() ?? "";
      if (allowed === "all") return [layer ?? "", names];
      return [layer ?? "", allowed.match(/src\/[\w/]+/g) ?? []];
    }),
  );
}

/** Every module that a file names: import and export ... from, import(), and new URL() for workers. */
function modulesIn(text: string): string[] {
  const forms = [
    /\bfrom\s*["']([^"']+)["']/g,
    /\bimport\s*["']([^"']+)["']/g,
    DYNAMIC,
    /\bnew URL\(\s*["'`]([^"'`]+)["'`]\s*,\s*import\.meta\.url/g,
  ];
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(([, name]) => name ?? ""),
  );
}

/** The header is drawn first. */
const AT_ONCE = "src/texts/en/nav";

const TYPES = /\bimport type [^;]*?\bfrom\s*["'][^"']+["']/g;
const DYNAMIC = /\bimport\s*\(\s*["'`]([^"'`]+)["'`]/g;

const layerOf = (file: string) => file.split("/").slice(0, 2).join("/");
const viewOf = (file: string) => file.split("/").slice(0, 3).join("/");
const isBelow = (file: string, folder: string) =>
  file === folder || file.startsWith(`${folder}/`);

/** Returns the imports of a file of `src/` that the rules forbid, one a line. */
export function wrongImports(
  layers: Layers,
  file: string,
  text: string,
): string[] {
  const atOnce = modulesIn(text.replaceAll(DYNAMIC, "").replaceAll(TYPES, ""));
  return modulesIn(text).flatMap((name) => {
    const isLazy = !atOnce.includes(name);
    const wrong = /^[./]/.test(name)
      ? whyNotFile(layers, file, targetOf(file, name), isLazy)
      : whyNotPackage(layerOf(file), name);
    return wrong ? [`${file}: ${name} (${wrong})`] : [];
  });
}

function targetOf(file: string, name: string): string {
  return name.startsWith("/")
    ? name.slice(1)
    : path.posix.join(path.posix.dirname(file), name);
}

function whyNotPackage(layer: string, name: string): string | undefined {
  if (/^react/.test(name) && !["src/views", "src/app"].includes(layer))
    return "React belongs to views and app";
  if (/^zustand/.test(name) && !["src/state", "src/app"].includes(layer))
    return "the store belongs to state and app";
  if (name.startsWith("node:")) return "the site runs in a browser";
  return undefined;
}

function whyNotFile(
  layers: Layers,
  file: string,
  target: string,
  isLazy: boolean,
): string | undefined {
  // A document has no code, and no layer.
  if (!isBelow(target, "src") && /\.(md|cff)\?raw$/.test(target))
    return undefined;
  if (
    isBelow(target, "src/texts") &&
    !isLazy &&
    layerOf(file) !== "src/texts" &&
    target !== AT_ONCE
  )
    return "a text is loaded when it is needed";
  const layer = layerOf(file);
  const allowed = layers.get(layer);
  if (!allowed) return `${layer} is not in the table of ARCHITECTURE.md`;
  if (isBelow(target, layer)) {
    const foreign = ![viewOf(file), "src/views/shared"].some((folder) =>
      isBelow(target, folder),
    );
    return layer === "src/views" && foreign
      ? "a view imports another view"
      : undefined;
  }
  return allowed.some((folder) => isBelow(target, folder))
    ? undefined
    : `${layer} may not import it`;
}

/**
 * Returns the cycles of imports, of values or of types: `a → b → a`. Each group of files that import each other is
 * found at least once.
 */
export function circles(texts: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const next of filesIn(texts, file)) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of texts.keys()) visit(file, []);
  return found;
}

/** The files of `texts` that a file imports. */
function filesIn(texts: ReadonlyMap<string, string>, file: string): string[] {
  return modulesIn(texts.get(file) ?? "")
    .filter((name) => name.startsWith("."))
    .flatMap((name) => {
      const target = targetOf(file, name);
      const ends = ["", ".ts", ".tsx"].map((end) => target + end);
      return ends.filter((path) => texts.has(path)).slice(0, 1);
    });
}
