import { expect, test } from "vitest";
import {
  decodePermalink,
  encodePermalink,
} from "../../../src/model/permalink/permalink";
import type { Permalink } from "../../../src/model/permalink/permalink";
import {
  applyPatch,
  patchFrom,
  same,
} from "../../../src/model/shared/mergePatch";
import type { Json } from "../../../src/model/shared/mergePatch";

const os = (pages: string, regions = 0) => ({
  default: pages,
  regions: Array.from({ length: regions }, () => ({
    start: "0x1000",
    end: "0x5000",
    pages: "2M",
    kind: "heap" as const,
  })),
  frames: "sequential" as const,
});

const links: readonly [hash: string, link: Permalink][] = [
  ["", {}],
  ["screen=experiments", { screen: "experiments" }],
  [
    "screen=experiments&experiment=byte-array",
    { screen: "experiments", experiment: "byte-array" },
  ],
  ["screen=glossary&term=stlb", { screen: "glossary", term: "stlb" }],
  [
    "trace=ls&cpu=intel-skylake-sp&pages=4K&access=12345",
    { trace: "ls", cpu: "intel-skylake-sp", os: os("4K"), access: 12345 },
  ],
  [
    "trace=ls&only=address,0x1000,0x3000,a,%20b&structure=3",
    {
      trace: "ls",
      only: { by: "address", start: "0x1000", end: "0x3000", label: "a, b" },
      structure: 3,
    },
  ],
  [
    "trace=ls&only=calls,0x0,0x0,%5B%22main%22,%22f(a,%20b)%22%5D",
    {
      trace: "ls",
      only: {
        by: "calls",
        start: "0x0",
        end: "0x0",
        label: "f(a, b)",
        path: ["main", "f(a, b)"],
      },
    },
  ],
  [
    "trace=ls&cores=tid&access=7&core=41",
    { trace: "ls", cores: "tid", access: 7, core: 41 },
  ],
  [
    "file=my%20trace%26co.log&window=10-90",
    { file: "my trace&co.log", window: { from: 10, to: 90 } },
  ],
  [
    "pages=4K&virt=ept&host=2M",
    { os: { ...os("4K"), virt: "ept", host: os("2M") } },
  ],
  ["pages=recorded", { os: { ...os("4K"), map: "recorded" } }],
  ["pages=2M&virt=shadow", { os: { ...os("2M"), virt: "shadow" } }],
  [
    "workload=uniform,bytes=1G,base=0x1000",
    { workload: { id: "uniform", params: { bytes: "1G", base: "0x1000" } } },
  ],
  ["workload=tlab", { workload: { id: "tlab", params: {} } }],
  [
    "count=100,50&access=120",
    { count: { skip: 100, warmup: 50 }, access: 120 },
  ],
  ["count=0,200,30", { count: { skip: 0, warmup: 200, limit: 30 } }],
  [
    "view=models.sort:walks,descending%3Bnote:50%2525%253B",
    { view: { "models.sort": "walks,descending", note: "50%;" } },
  ],
  ["view=projector%3Bplain", { projector: true, plain: true }],
  ["machine=%7B%22l1%22:%5B%5D%7D", { machine: { l1: [] } }],
];

test.each(links)("%s_is_read_back_as_it_was_written", (hash, link) => {
  expect(encodePermalink(link)).toBe(hash);
  expect(decodePermalink(`#${hash}`)).toEqual(link);
});

test("regions_travel_as_json", () => {
  const link = { os: os("2M", 2) };
  expect(decodePermalink(encodePermalink(link))).toEqual(link);
});

test("a_host_with_regions_travels_as_json", () => {
  const link: Permalink = {
    os: { ...os("2M"), virt: "ept", host: os("4K", 1) },
  };
  expect(encodePermalink(link)).toMatch(/^os=/);
  expect(decodePermalink(encodePermalink(link))).toEqual(link);
});

test("a_host_in_json_gets_the_fields_that_it_leaves_out", () => {
  const link = `os=${encodeURIComponent('{"virt":"ept","host":{"default":"2M"}}')}`;
  expect(decodePermalink(link).os).toEqual({
    ...os("4K"),
    virt: "ept",
    host: os("2M"),
  });
});

test("a_host_alone_keeps_the_plain_pages", () => {
  expect(decodePermalink("virt=ept").os).toEqual({ ...os("4K"), virt: "ept" });
});

test.each([
  ["machine={", "“machine” is not valid JSON"],
  ["access=-1", "“access” must be a whole number"],
  ["access=99999999999999999999", "“access” must be a whole number"],
  ["only=calls,0x0,0x0,main", "“only” is not valid JSON"],
  ["only=calls,0x0,0x0,[1]", "“only” must end with a list of functions"],
  ["virt=xen", "“virt” must be native, ept, shadow, not “xen”"],
  ["workload=uniform,bytes", "“workload” has a part “bytes” without"],
  ["count=5", "“count” must be skip,warmup,limit, not “5”."],
  ["count=1,2,3,4", "“count” must be skip,warmup,limit"],
  ["count=1,x", "“count” must be a whole number"],
  ["view=walks", "“view” must be name:value;…, not “walks”."],
  ["view=a:%25%25", "“view” has an incomplete % code"],
  ["compare=both", "“compare” must be models, saved, not “both”"],
  ["core=a", "“core” must be a whole number, not “a”"],
  ["window=5", "“window” must be a whole number"],
])("%s_is_refused_with_a_sentence", (hash, sentence) => {
  expect(() => decodePermalink(hash)).toThrow(sentence);
});

test.each([
  [
    "levels of a machine",
    `machine=${"[".repeat(33)}`,
    "“machine” has more than 32 levels",
  ],
  [
    "levels of a mapping",
    `os=${'{"a":'.repeat(33)}`,
    "“os” has more than 32 levels",
  ],
  [
    "levels of a what-if",
    `whatif=${"[".repeat(5000)}`,
    "“whatif” has more than 32 levels",
  ],
  [
    "levels of a side",
    `right=machine=${"[".repeat(5000)}`,
    "“machine” has more than 32 levels",
  ],
  [
    "characters of a name",
    `file=${"a".repeat(301)}`,
    "“file” has more than 300 characters",
  ],
  [
    "characters of a side's name",
    `right=cpu%3D${"a".repeat(301)}`,
    "“cpu” has more than 300 characters",
  ],
  [
    "characters of a link",
    `code=${"a".repeat(200_000)}`,
    "it has 200,005 characters, and 200,000 are",
  ],
])("too_many_%s_are_refused_with_a_sentence", (_what, hash, sentence) => {
  expect(() => decodePermalink(hash)).toThrow(sentence);
});

test("brackets_in_texts_are_no_levels_and_32_levels_are_read", () => {
  const text = `"${"[{".repeat(40)}\\"["`;
  const json = `${"[".repeat(32)}${text}${"]".repeat(32)}`;
  const { machine } = decodePermalink(`machine=${encodeURIComponent(json)}`);
  expect(JSON.stringify(machine)).toBe(json);
});

test("a_side_of_a_comparison_has_no_sides", () => {
  const right = (text: string) => `right=${encodeURIComponent(text)}`;
  const link = decodePermalink(right(`cpu=a&access=3&${right("cpu=b")}`));
  expect(link).toEqual({ right: { cpu: "a" } });
});

test("a_link_with_sides_in_sides_is_read_at_once", () => {
  const began = performance.now();
  expect(decodePermalink("right=".repeat(33_000))).toEqual({ right: {} });
  expect(performance.now() - began).toBeLessThan(1000);
});

const patches: readonly [from: Json, to: Json, patch: Json | undefined][] = [
  [{ a: 1 }, { a: 1 }, undefined],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1, b: 1 }, { b: 1 }, { a: null }],
  [{}, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: { b: 1, c: 1 } }, { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
  [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
  [[1], [1, 2], [1, 2]],
  [{ a: 1 }, 5, 5],
];

test.each(patches)("from_%j_to_%j_the_patch_is_%j", (from, to, patch) => {
  expect(patchFrom(from, to)).toEqual(patch);
  if (patch !== undefined) expect(same(applyPatch(from, patch), to)).toBe(true);
});
