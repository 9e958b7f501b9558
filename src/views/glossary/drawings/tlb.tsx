/** The TLB, and the path of an access through it. */
import { Arrow, Box, Bracket, Label, range } from "./primitives";
import type { DrawingProps } from "./primitives";

/** The way of a lookup: level 1, level 2, page walk. */
export function LookupDrawing({ isLit, say }: DrawingProps) {
  const stages = [
    ["L1 TLB", "l1", "hit1"],
    ["STLB", "l2", "hit2"],
    [say("pageWalk"), "walk", "walk"],
  ] as const;
  return (
    <>
      {stages.map(([name, part, tone], at) => (
        <g key={name}>
          <Box
            x={4 + at * 84}
            y={18}
            width={64}
            height={24}
            lit={isLit(part)}
            tone={tone}
          >
            {name}
          </Box>
          <Arrow
            from={[36 + at * 84, 42]}
            to={[36 + at * 84, 76]}
            lit={isLit("arrows") || (isLit("hit") && at < 2)}
          />
          {at < 2 ? (
            <>
              <Arrow
                from={[68 + at * 84, 30]}
                to={[87 + at * 84, 30]}
                lit={isLit("arrows") || isLit("miss")}
              />
              <Label x={78 + at * 84} y={12} lit={isLit("miss")}>
                {say("miss")}
              </Label>
              <Label x={54 + at * 84} y={63} lit={isLit("hit")}>
                {say("hit")}
              </Label>
            </>
          ) : null}
        </g>
      ))}
      <Box x={4} y={78} width={232}>
        {say("translation")}
      </Box>
    </>
  );
}

const SETS = 8;
const WAYS = 4;
/** The slot of the access. */
const AT = { set: 5, way: 2 };

/** A small array: columns are sets, rows are ways. */
export function SetsDrawing({ isLit, say }: DrawingProps) {
  const isSlot = isLit("entry") || isLit("fill") || isLit("victim");
  return (
    <>
      {range(SETS * WAYS).map((at) => {
        const set = at % SETS;
        const way = Math.floor(at / SETS);
        const isHere = set === AT.set && way === AT.way;
        return (
          <Box
            key={at}
            x={44 + set * 19}
            y={16 + way * 19}
            width={17}
            height={17}
            lit={
              (isLit("set") && set === AT.set) ||
              (isLit("way") && way === AT.way) ||
              (isHere && (isSlot || isLit("next")))
            }
            {...(isHere && isLit("fill") && { tone: "walk" as const })}
            dashed={isHere && isLit("victim")}
          />
        );
      })}
      <Label x={118} y={11} lit={isLit("set")}>
        {say("sets")}
      </Label>
      <Label x={4} y={68} at="start" lit={isLit("way")}>
        {say("way", { n: AT.way })}
      </Label>
      {isLit("fill") ? (
        <Arrow from={[226, 20]} to={[158, 60]} lit />
      ) : isLit("victim") ? (
        <Arrow from={[148, 62]} to={[226, 98]} lit />
      ) : null}
      {isLit("next") ? <path className="gl-corner" d="M156 63v8h-8z" /> : null}
    </>
  );
}

/** Four ways under a tree of bits, which points to the next victim. */
export function PairsDrawing({ isLit, say }: DrawingProps) {
  const lit = isLit("path");
  return (
    <>
      <Arrow from={[120, 22]} to={[66, 40]} />
      <Arrow from={[120, 22]} to={[174, 40]} lit={lit} />
      {range(4).map((way) => (
        <g key={way}>
          <Arrow
            from={[way < 2 ? 66 : 174, 46]}
            to={[39 + way * 54, 66]}
            lit={lit && way === 2}
          />
          <Box x={16 + way * 54} y={68} width={46} lit={lit && way === 2}>
            {say(way === 2 ? "victim" : "way", { n: way })}
          </Box>
        </g>
      ))}
      <Label x={120} y={16} lit={lit}>
        1
      </Label>
      <Label x={54} y={46}>
        1
      </Label>
      <Label x={188} y={46} lit={lit}>
        0
      </Label>
    </>
  );
}

/** The elements of a list in memory, in the order of the list. */
const ELEMENTS = [
  [6, 8],
  [176, 16],
  [92, 42],
  [184, 76],
  [14, 74],
] as const;
const ELEMENT = { width: 48, height: 18 } as const;

/** A pointer chase: each element has the address of the next one. */
export function ChaseDrawing({ isLit, say }: DrawingProps) {
  const lit = isLit("links");
  return (
    <>
      {ELEMENTS.slice(1).map(([toX, toY], at) => {
        const [x, y] = ELEMENTS[at] ?? [0, 0];
        const right = toX > x;
        const middle = ELEMENT.height / 2;
        return (
          <Arrow
            key={at}
            from={[right ? x + ELEMENT.width : x, y + middle]}
            to={[right ? toX - 1 : toX + ELEMENT.width + 1, toY + middle]}
            lit={lit}
          />
        );
      })}
      {ELEMENTS.map(([x, y], at) => (
        <Box key={at} x={x} y={y} {...ELEMENT} lit={lit && at === 0}>
          {say(at === ELEMENTS.length - 1 ? "end" : "next")}
        </Box>
      ))}
    </>
  );
}

const PAGES = "ABCADBEAFB".split("");
const KINDS = "FLFFSFLFFL".split("");

const TIMES_NOTES = ["kinds", "first", "footprint", "sampled"] as const;

/** Accesses in a row, each with its page. */
export function TimesDrawing({ isLit, say }: DrawingProps) {
  const x = (at: number) => 8 + at * 23;
  const isFirst = (at: number) => PAGES.indexOf(PAGES[at] ?? "") === at;
  const letters = isLit("kinds") ? KINDS : PAGES;
  return (
    <>
      {letters.map((letter, at) => (
        <Box
          key={at}
          x={x(at)}
          y={30}
          width={18}
          height={22}
          lit={
            isLit("all") ||
            isLit("kinds") ||
            ((isLit("first") || isLit("footprint")) && isFirst(at)) ||
            (isLit("sampled") && at % 4 === 1) ||
            (isLit("access") && at === 4) ||
            (isLit("window") && at > 2 && at < 8) ||
            (isLit("distance") && (at === 3 || at === 7))
          }
        >
          {letter}
        </Box>
      ))}
      <Arrow from={[8, 20]} to={[232, 20]} />
      <Label x={8} y={13} at="start">
        {say("order")}
      </Label>
      {isLit("window") ? (
        <Bracket from={x(3)} to={x(7) + 18} y={58} lit>
          {say("window")}
        </Bracket>
      ) : isLit("distance") ? (
        <Bracket from={x(4)} to={x(6) + 18} y={58} lit>
          {say("distance")}
        </Bracket>
      ) : (
        <Label x={120} y={74}>
          {say(TIMES_NOTES.find(isLit) ?? "letters")}
        </Label>
      )}
    </>
  );
}

/** Misses by the size of a TLB. */
export function CurveDrawing({ isLit, say }: DrawingProps) {
  return (
    <>
      <path className="gl-line" d="M30 6V86H236" />
      <path
        className={isLit("line") ? "gl-curve gl-lit-line" : "gl-curve"}
        d="M32 14C60 18 70 20 84 22L92 48C120 52 140 52 154 54L162 74H234"
      />
      {isLit("reach") ? (
        <>
          <path className="gl-lit-line gl-dots" d="M162 10V86" />
          <Label x={166} y={18} at="start" lit>
            {say("fits")}
          </Label>
        </>
      ) : null}
      {isLit("floor") ? (
        <>
          <path className="gl-lit-line gl-dots" d="M30 66H120L162 80H236" />
          <Label x={34} y={62} at="start" lit>
            {say("optimum")}
          </Label>
        </>
      ) : null}
      <Label x={34} y={10} at="start">
        {say("miss")}
      </Label>
      <Label x={236} y={100} at="end">
        {say("entries")}
      </Label>
    </>
  );
}

/** The cycles of one translation, part by part. */
export function CyclesDrawing({ isLit, say }: DrawingProps) {
  const all = isLit("all");
  return (
    <>
      <Box x={4} y={30} width={62} height={26} tone="hit2" lit={all}>
        9
      </Box>
      <Box x={68} y={30} width={56} height={26} tone="walk" lit>
        8
      </Box>
      <Box x={126} y={30} width={110} height={26} tone="walk" lit>
        14
      </Box>
      <Label x={35} y={22}>
        STLB
      </Label>
      <Label x={96} y={22}>
        {say("start")}
      </Label>
      <Label x={181} y={22}>
        {say("readEntry")}
      </Label>
      <Bracket from={all ? 4 : 68} to={236} y={62} lit>
        {say("cycles", { n: all ? 31 : 22 })}
      </Bracket>
    </>
  );
}
