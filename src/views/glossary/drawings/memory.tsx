/** Addresses, pages and tables. */
import { Arrow, Box, Bracket, Label, range } from "./primitives";
import type { DrawingProps } from "./primitives";

const FIELDS = ["254", "232", "225", "181"];

/** An address in its fields, and how a TLB splits its page number. */
export function AddressDrawing({ isLit, say }: DrawingProps) {
  if (isLit("xor")) return <IndexDrawing say={say} />;
  const splits = isLit("tag") || isLit("index");
  return (
    <>
      {FIELDS.map((field, at) => (
        <Box key={at} x={4 + at * 40} y={12} width={36} lit={isLit("number")}>
          {field}
        </Box>
      ))}
      <Box x={168} y={12} width={68} lit={isLit("offset")}>
        0xe48
      </Box>
      <Bracket from={4} to={160} y={34} lit={isLit("number")}>
        {say("pageNumber")}
      </Bracket>
      <Bracket from={168} to={236} y={34} lit={isLit("offset")}>
        {say("offset")}
      </Bracket>
      {splits ? (
        <>
          <Box x={4} y={64} width={120} lit={isLit("tag")}>
            {say("tag")}
          </Box>
          <Box x={126} y={64} width={34} lit={isLit("index")}>
            {say("index")}
          </Box>
          <Label x={143} y={98}>
            {say("choosesSet")}
          </Label>
        </>
      ) : (
        <Label x={82} y={82}>
          {say("translated")}
        </Label>
      )}
      {splits ? null : (
        <Label x={202} y={82} lit={isLit("offset")}>
          {say("kept")}
        </Label>
      )}
    </>
  );
}

/** Two groups of a page number's bits, combined into a set. */
function IndexDrawing({ say }: Pick<DrawingProps, "say">) {
  return (
    <>
      <Box x={4} y={12} width={80}>
        …
      </Box>
      <Box x={86} y={12} width={74} lit>
        1011
      </Box>
      <Box x={162} y={12} width={74} lit>
        0110
      </Box>
      <Bracket from={4} to={236} y={34}>
        {say("pageNumber")}
      </Bracket>
      <Label x={158} y={74} lit>
        xor
      </Label>
      <Arrow from={[176, 70]} to={[196, 70]} lit />
      <Box x={198} y={61} width={38} lit>
        1101
      </Box>
      <Label x={217} y={96}>
        {say("set")}
      </Label>
    </>
  );
}

/** Pages on the left, and the frames that they are mapped to. */
const MAPPED = [3, 0, 2];

export function PagesDrawing({ isLit, say }: DrawingProps) {
  return (
    <>
      <Label x={50} y={11}>
        {say("pages")}
      </Label>
      <Label x={190} y={11}>
        {say("frames")}
      </Label>
      {range(4).map((at) => (
        <Box
          key={at}
          x={24}
          y={16 + at * 21}
          width={52}
          lit={
            (isLit("page") && at === 1) ||
            (isLit("region") && at < 3) ||
            (isLit("new") && at === 3)
          }
        />
      ))}
      {range(4).map((at) => (
        <Box
          key={at}
          x={164}
          y={16 + at * 21}
          width={52}
          lit={(isLit("frame") && at === 0) || (isLit("new") && at === 1)}
        />
      ))}
      {MAPPED.map((frame, page) => (
        <Arrow
          key={page}
          from={[76, 25 + page * 21]}
          to={[163, 25 + frame * 21]}
          lit={isLit("arrow") && page === 1}
        />
      ))}
      {isLit("new") ? (
        <Arrow from={[76, 88]} to={[163, 46]} lit dashed />
      ) : null}
      {isLit("region") ? (
        <Label x={12} y={50} lit>
          {"{"}
        </Label>
      ) : null}
    </>
  );
}

const TABLES = ["PML4", "PDPT", "PD", "PT"];

/** The four tables of a walk, from the root to the page. */
export function TreeDrawing({ isLit, say }: DrawingProps) {
  const skips = isLit("skip");
  const x = (at: number) => 40 + at * 44;
  return (
    <>
      <Box x={2} y={40} width={28} lit={isLit("root")}>
        CR3
      </Box>
      {TABLES.map((name, at) => (
        <g key={name} opacity={skips && at < 3 ? 0.5 : 1}>
          <Label x={x(at) + 12} y={22} lit={isLit("levels")}>
            {name}
          </Label>
          <Box
            x={x(at)}
            y={28}
            width={24}
            height={60}
            lit={isLit("table") && at === 1}
            dashed={skips && at < 3}
          />
          <Box
            x={x(at)}
            y={40 + at * 8}
            width={24}
            height={12}
            lit={isLit("reads") || (isLit("leaf") && at === 3)}
            {...(skips && at < 3 ? {} : { tone: "walk" as const })}
          >
            {isLit("reads") ? at + 1 : undefined}
          </Box>
        </g>
      ))}
      {range(4).map((at) =>
        skips && at < 3 ? null : (
          <Arrow
            key={at}
            from={[x(at) + 24, 46 + at * 8]}
            to={[at === 3 ? 214 : x(at + 1) - 1, at === 3 ? 70 : 34]}
            lit={isLit("path")}
          />
        ),
      )}
      {skips ? (
        <Arrow from={[30, 46]} to={[x(3) - 1, 34]} lit />
      ) : (
        <Arrow from={[30, 46]} to={[x(0) - 1, 34]} lit={isLit("path")} />
      )}
      <Box x={215} y={56} width={22} height={30} />
      <Label x={226} y={98}>
        {say("page")}
      </Label>
    </>
  );
}

const BITS: readonly (readonly [name: string, width: number])[] = [
  ["XD", 26],
  ["frame", 88],
  ["D", 22],
  ["A", 22],
  ["U", 22],
  ["W", 22],
  ["P", 22],
];

/** One page-table entry, bit by bit. With P lit, P is 0 and nothing else has a meaning. */
export function EntryDrawing({ isLit, say }: DrawingProps) {
  const isAbsent = isLit("P");
  const isDenied = isLit("denied");
  const valueOf = (name: string) => {
    if (isAbsent) return name === "P" ? "0" : undefined;
    if (name === "frame") return "0x1388b";
    return name === "XD" || (isDenied && /[WD]/.test(name)) ? "0" : "1";
  };
  return (
    <>
      <Row
        parts={BITS}
        y={44}
        isLit={(name) => isLit(name) || (isDenied && name === "W")}
        wordOf={(name) => (name === "frame" ? say(name) : name)}
        valueOf={valueOf}
        dashed={(name) => isAbsent && name !== "P"}
      />
      {isAbsent ? (
        <Label x={100} y={88}>
          {say("nothingMapped")}
        </Label>
      ) : isDenied ? (
        <Label x={100} y={88} lit>
          {say("denied")}
        </Label>
      ) : null}
    </>
  );
}

const CODE = [
  ["fetch", 50, "0"],
  ["reserved", 58, "0"],
  ["user", 40, "1"],
  ["write", 40, "0"],
  ["present", 40, "0"],
] as const;

/** The lowest bits of the error code of a page fault: 0x4. */
export function CodeDrawing({ isLit, say }: DrawingProps) {
  return (
    <>
      <Row
        parts={CODE}
        y={34}
        isLit={isLit}
        wordOf={say}
        valueOf={(name) => CODE.find(([each]) => each === name)?.[2]}
      />
      <Label x={120} y={84} lit>
        {say("code")}
      </Label>
    </>
  );
}

interface RowProps<Name extends string> {
  readonly parts: readonly (readonly [
    name: Name,
    width: number,
    ...rest: string[],
  ])[];
  readonly y: number;
  readonly isLit: DrawingProps["isLit"];
  readonly wordOf: (name: Name) => string;
  readonly valueOf: (name: Name) => string | undefined;
  readonly dashed?: (name: string) => boolean;
}

/** Boxes in a row, each under its name. */
function Row<Name extends string>({
  parts,
  y,
  isLit,
  wordOf,
  valueOf,
  dashed = () => false,
}: RowProps<Name>) {
  return parts.map(([name, width], at) => {
    const x =
      4 + parts.slice(0, at).reduce((sum, [, each]) => sum + each + 2, 0);
    const lit = isLit(name);
    return (
      <g key={name}>
        <Label x={x + width / 2} y={y - 8} lit={lit}>
          {wordOf(name)}
        </Label>
        <Box
          x={x}
          y={y}
          width={width}
          height={22}
          lit={lit}
          dashed={dashed(name)}
        >
          {valueOf(name)}
        </Box>
      </g>
    );
  });
}

const CACHES: readonly (readonly [name: string, cycles: number])[] = [
  ["L1D", 4],
  ["L2", 14],
  ["L3", 60],
  ["DRAM", 200],
];

/** The caches that serve a reference, each larger and slower than the one before. */
export function CachesDrawing({ isLit, say }: DrawingProps) {
  return CACHES.map(([name, cycles], at) => (
    <g key={name}>
      <Box
        x={4}
        y={6 + at * 24}
        width={48 + at * 42}
        lit={isLit("all") || isLit(name)}
        {...(at === 3 ? {} : { tone: "walk" as const })}
      >
        {name}
      </Box>
      <Label x={236} y={19 + at * 24} at="end">
        {say("shortCycles", { n: cycles })}
      </Label>
    </g>
  ));
}

/** Small pages, and the huge page that covers as much. */
export function SizesDrawing({ isLit, say }: DrawingProps) {
  return (
    <>
      {range(16).map((at) => (
        <Box
          key={at}
          x={16 + (at % 4) * 19}
          y={8 + Math.floor(at / 4) * 19}
          width={17}
          height={17}
          lit={isLit("join")}
        />
      ))}
      <Label x={53} y={98}>
        512 × 4K
      </Label>
      <Arrow from={[104, 45]} to={[136, 45]} lit={isLit("join")} />
      <Box x={148} y={8} width={74} height={74} lit>
        2M
      </Box>
      <Label x={185} y={98} lit={isLit("big")}>
        {say("oneEntry")}
      </Label>
    </>
  );
}
