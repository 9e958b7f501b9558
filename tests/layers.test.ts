import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { circles, readLayers, wrongImports } from "./layers.ts";

const layers = readLayers(readFileSync("ARCHITECTURE.md", "utf8"));

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((name) => /\.\w+$/.test(name) && !name.includes("/pkg/"));
const texts = new Map(
  files
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(name, "utf8")]),
);

test("every_import_goes_in_a_direction_that_the_table_allows", () => {
  const wrong = [...texts].flatMap(([file, text]) =>
    wrongImports(layers, file, text),
  );
  expect(wrong).toEqual([]);
});

test("the_table_names_the_folders_of_src", () => {
  const folders = new Set(files.map((name) => name.split("/", 2).join("/")));
  expect([...layers.keys()].sort()).toEqual([...folders].sort());
  expect(layers.get("src/engine")).toEqual([]);
});

test("no_files_import_each_other_in_a_circle", () => {
  expect(texts.size).toBeGreaterThan(400);
  expect(circles(texts)).toEqual([]);
});

/** The files that may be directly in these folders. All other files are in the folder of a screen. */
const FLAT: readonly string[] = [
  "src/state/actions.ts",
  "src/state/context.ts",
  "src/state/reportErrors.ts",
  "src/state/notices.ts",
  "src/state/pageAbout.ts",
  "src/state/screens.ts",
  "src/state/selectors.ts",
  "src/state/store.ts",
  "src/app/App.tsx",
  "src/app/app.css",
  "src/app/base.css",
  "src/app/context.ts",
  "src/app/main.tsx",
  "src/app/tokens.css",
];

test("files_lie_in_folders_of_screens", () => {
  const flat = files.filter((name) =>
    /^src\/(model|state|app)\/[^/]+$/.test(name),
  );
  expect(flat.sort()).toEqual([...FLAT].sort());
});

test.each([
  ["types", 'import type { B } from "./b"', 'import type { A } from "./a"', 1],
  ["values", 'import { b } from "./b"', 'await import("./a")', 1],
  ["itself", 'export * from "./a"', "", 1],
  ["one_way", 'import { b } from "./b"', 'import { c } from "./c"', 0],
])("circle_of_%s", (_name, a, b, circlesFound) => {
  const made = new Map([
    ["src/a.ts", a],
    ["src/b.tsx", b],
    ["src/c.ts", ""],
  ]);
  expect(circles(made).length).toBe(circlesFound);
});

const rules: readonly [
  fact: string,
  file: string,
  text: string,
  ok: boolean,
][] = [
  [
    "model_uses_generated_types",
    "src/model/units.ts",
    'import type { Hex } from "../engine/generated/Hex"',
    true,
  ],
  [
    "model_does_not_use_the_engine",
    "src/model/units.ts",
    'import { Engine } from "../engine/engine"',
    false,
  ],
  [
    "a_re_export_is_an_import",
    "src/model/units.ts",
    'export * from "../state/store"',
    false,
  ],
  [
    "a_dynamic_import_is_an_import",
    "src/model/units.ts",
    'await import("../state/store")',
    false,
  ],
  [
    "an_import_for_effect_is_an_import",
    "src/model/units.ts",
    'import "../app/theme.css"',
    false,
  ],
  [
    "a_worker_is_an_import",
    "src/state/store.ts",
    'new Worker(new URL("../app/worker.ts", import.meta.url))',
    false,
  ],
  [
    "the_engine_starts_its_own_worker",
    "src/engine/client.ts",
    'new Worker(new URL("./worker.ts", import.meta.url))',
    true,
  ],
  [
    "react_stays_in_views_and_app",
    "src/state/store.ts",
    'import { useMemo } from "react"',
    false,
  ],
  [
    "a_view_uses_react",
    "src/views/walk/Walk.tsx",
    'import { useMemo } from "react"',
    true,
  ],
  [
    "a_view_does_not_use_the_store",
    "src/views/walk/Walk.tsx",
    'import { store } from "../../state/store"',
    false,
  ],
  [
    "a_view_does_not_use_a_store_library",
    "src/views/walk/Walk.tsx",
    'import { useStore } from "zustand"',
    false,
  ],
  [
    "a_view_does_not_use_another_view",
    "src/views/walk/Walk.tsx",
    'import { Tlb } from "../tlb/Tlb"',
    false,
  ],
  [
    "a_view_uses_shared_views",
    "src/views/walk/Walk.tsx",
    'import { Hex } from "../shared/Hex"',
    true,
  ],
  [
    "app_uses_everything_in_src",
    "src/app/main.tsx",
    'import { Walk } from "../views/walk/Walk"',
    true,
  ],
  [
    "nothing_reaches_out_of_src",
    "src/app/main.tsx",
    'import cpu from "../../sim-core/cpus/zen2.json"',
    false,
  ],
  [
    "a_folder_that_is_not_in_the_table_is_no_layer",
    "src/utils/a.ts",
    'import { b } from "./b"',
    false,
  ],
  [
    "a_document_may_be_shown",
    "src/views/walk/Walk.tsx",
    'import limits from "../../../docs/limits.md?raw";',
    true,
  ],
  [
    "texts_of_a_language_are_loaded_by_app",
    "src/app/glossary/cards.ts",
    'await import("../../texts/en/glossary.md?raw")',
    true,
  ],
  [
    "texts_of_a_language_are_not_part_of_the_first_route",
    "src/app/glossary/cards.ts",
    'import text from "../../texts/en/glossary.md?raw";',
    false,
  ],
  [
    "a_view_gets_its_texts_from_app",
    "src/views/glossary/GlossaryPage.tsx",
    'await import("../../texts/en/glossary.md?raw")',
    false,
  ],
  [
    "a_script_outside_of_src_is_no_document",
    "src/views/walk/Walk.tsx",
    'import text from "../../../scripts/start.mjs?raw";',
    false,
  ],
];

test.each(rules)("%s", (_fact, file, text, ok) => {
  expect(wrongImports(layers, file, text).length).toBe(ok ? 0 : 1);
});
