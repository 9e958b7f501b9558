/** Page sizes above that of all memory: which ones are possible, and how a program gets them from Linux. */
import { scaleLinear } from "d3-scale";
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { HugePoint } from "../../engine/generated/HugePoint";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import { csv } from "../shared/csv";
import { bytesOf } from "../shared/pageSizes";
import { hugePage } from "../config/pagePolicies";
import type { CssPixels } from "../shared/units";
import { tickMargin } from "./chartLabels";
import { ranges, withHuge } from "./pages";
import type { SimulatedRow } from "./pages";
import type { SweepSetup } from "./sweep";
import type { WhatIf } from "./whatIf";

/** The huge page sizes that such a machine can use together with pages of `size`, smallest first. */
export function largerSizes(
  sizes: readonly PageSize[],
  size: PageSize,
): readonly PageSize[] {
  return sizes
    .filter((other) => bytesOf(other) > bytesOf(size))
    .sort((a, b) => bytesOf(a) - bytesOf(b));
}

/**
 * The huge page size of the advice: the chosen one if possible, otherwise THP's, otherwise the smallest;
 * `undefined` if there is none.
 */
export function advisedSize(
  larger: readonly PageSize[],
  machine: Pick<MachineConfig, "paging">,
  chosen: PageSize | undefined,
): PageSize | undefined {
  return (
    larger.find((size) => size === chosen) ??
    larger.find((size) => size === hugePage(machine)) ??
    larger[0]
  );
}

/** How many huge pages to look for: more of them if they are smaller than a megabyte. */
export function mostAdvised(huge: PageSize): number {
  return bytesOf(huge) < 2 ** 20 ? 512 : 64;
}

/**
 * The C call that gets these pages. Up to THP's size the kernel gives them on advice, smaller ones once they
 * are enabled (Documentation/admin-guide/mm/transhuge.rst). Larger ones come from a pool: MAP_HUGETLB with
 * log2 of the size (mmap(2)).
 */
export function advisingCode(
  starts: readonly string[],
  huge: PageSize,
  machine: Pick<MachineConfig, "paging">,
): string {
  const thp = hugePage(machine);
  const bytes = bytesOf(huge);
  const isPooled = thp === null || bytes > bytesOf(thp);
  const calls = ranges(starts, huge).map(({ start, bytes: length }) => {
    const range = `(void *)0x${start.toString(16)}, ${lengthText(length)}`;
    return isPooled
      ? `mmap(${range}, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB | ${Math.log2(bytes)} << MAP_HUGE_SHIFT, -1, 0);`
      : `madvise(${range}, MADV_HUGEPAGE);`;
  });
  const isSmall = !isPooled && huge !== thp;
  const switched = `// echo madvise > /sys/kernel/mm/transparent_hugepage/hugepages-${bytes / 1024}kB/enabled`;
  return [...(isSmall ? [switched] : []), ...calls].join("\n");
}

/** The size as a C expression: `1UL << 30`, `8 << 20`, `64 << 10`. */
function lengthText(bytes: bigint): string {
  const shift = [30n, 20n].find((unit) => bytes % (1n << unit) === 0n) ?? 10n;
  return `${bytes >> shift}${shift === 30n ? "UL" : ""} << ${shift}`;
}

const PLOT = { left: 62, right: 14, top: 10, bottom: 34 } as const;
/** The least distance between two words of the axis. */
const TICK: CssPixels = 26;

/** Walks over huge pages: both axes are linear and start at 0. Points rise. */
export function adviceLayout(
  points: readonly HugePoint[],
  box: { readonly width: CssPixels; readonly height: CssPixels },
) {
  const most = Math.max(1, ...points.map(({ walks }) => walks));
  const left = tickMargin(most, PLOT.left);
  const right = Math.max(left, box.width - PLOT.right);
  const [top, bottom] = [PLOT.top, box.height - PLOT.bottom];
  const last = Math.max(1, ...points.map((point) => point.huge_pages));
  const x = scaleLinear([0, last], [left, right]);
  const y = scaleLinear([0, most], [bottom, top]);
  const dots = points.map(({ huge_pages: n, walks }) => ({
    n,
    x: x(n),
    y: y(walks),
  }));
  // The last point has a label; others have one if there is space.
  const ticks: { readonly n: number; readonly x: CssPixels }[] = [];
  for (const dot of [...dots].reverse()) {
    const next = ticks.at(-1);
    if (!next || next.x - dot.x >= TICK) ticks.push({ n: dot.n, x: dot.x });
  }
  const path = dots.map((dot) => `${dot.x.toFixed(1)} ${dot.y.toFixed(1)}`);
  return {
    dots,
    ticks: ticks.reverse(),
    path: path.length > 0 ? `M${path.join("L")}` : "",
    most,
    left,
    right,
    top,
    bottom,
  };
}

/** The regions that should be huge, with their addresses; those that were not simulated are left out. */
export function rangesCsv(rows: readonly SimulatedRow[]): string {
  return csv([
    [
      "region",
      "start",
      "end",
      "walks saved alone",
      "miss cycles saved alone",
      "huge pages",
      "wasted bytes",
      "addresses",
    ],
    ...rows.map((row) => [
      row.name,
      row.start,
      row.end,
      row.saved?.walks,
      row.saved?.cycles,
      row.starts.length,
      row.wasted,
      row.starts.join(" "),
    ]),
  ]);
}

/** The configured machine, with only these pages huge. */
export function advisedSetup(
  { own, size }: Pick<WhatIf, "own" | "size">,
  { huge }: Pick<HugeAdvice, "huge">,
  starts: readonly string[],
): SweepSetup {
  return { ...own, os: withHuge(own.os, size, huge, starts) };
}
