/** Pages that are larger than those of all memory: which there can be, and how a program gets them of Linux. */
import { scaleLinear } from "d3-scale";
import type { HugePoint } from "../../engine/generated/HugePoint";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import { csv } from "../shared/csv";
import { bytesOf } from "../shared/pageSizes";
import { hugePage } from "../config/pagePolicies";
import type { CssPixels } from "../shared/units";
import { ranges } from "./pages";
import type { SimulatedRow } from "./pages";

/** Those that a machine of these page sizes can have beside pages of `size`, the smallest first. */
export function largerSizes(
  sizes: readonly PageSize[],
  size: PageSize,
): readonly PageSize[] {
  return sizes
    .filter((other) => bytesOf(other) > bytesOf(size))
    .sort((a, b) => bytesOf(a) - bytesOf(b));
}

/** The one that is advised: what was chosen if it can be, else that of THP, else the smallest; `undefined` if there is none. */
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

/** Pages that are looked for: those of a fraction of a megabyte help in larger numbers. */
export function mostAdvised(huge: PageSize): number {
  return bytesOf(huge) < 2 ** 20 ? 512 : 64;
}

/**
 * What a program would call to get these pages. Up to the size of THP the kernel gives them where it is
 * advised to, smaller ones once that is switched on (Documentation/admin-guide/mm/transhuge.rst); larger ones
 * come out of a pool: MAP_HUGETLB with log2 of the size (mmap(2)).
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

/** As C reads it: `1UL << 30`, `8 << 20`, `64 << 10`. */
function lengthText(bytes: bigint): string {
  const shift = [30n, 20n].find((unit) => bytes % (1n << unit) === 0n) ?? 10n;
  return `${bytes >> shift}${shift === 30n ? "UL" : ""} << ${shift}`;
}

const PLOT = { left: 62, right: 14, top: 10, bottom: 34 } as const;
/** Between two words of the axis at least. */
const TICK: CssPixels = 26;

/** Walks over huge pages: both axes are linear and begin at 0. Points rise. */
export function adviceLayout(
  points: readonly HugePoint[],
  box: { readonly width: CssPixels; readonly height: CssPixels },
) {
  const [left, right] = [
    PLOT.left,
    Math.max(PLOT.left, box.width - PLOT.right),
  ];
  const [top, bottom] = [PLOT.top, box.height - PLOT.bottom];
  const most = Math.max(1, ...points.map(({ walks }) => walks));
  const last = Math.max(1, ...points.map((point) => point.huge_pages));
  const x = scaleLinear([0, last], [left, right]);
  const y = scaleLinear([0, most], [bottom, top]);
  const dots = points.map(({ huge_pages: n, walks }) => ({
    n,
    x: x(n),
    y: y(walks),
  }));
  // The last has its word; of the others those that leave room for it.
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

/** The regions that should be huge, and at which addresses; what was not simulated is left out. */
export function rangesCsv(rows: readonly SimulatedRow[]): string {
  return csv([
    [
      "region",
      "start",
      "end",
      "walks saved alone",
      "walk cycles saved alone",
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
