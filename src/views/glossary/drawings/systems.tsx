/** Several cores, and virtual machines. */
import { Arrow, Box, Label, range } from "./primitives";
import type { DrawingProps } from "./primitives";

/** Two cores with their TLBs, and the tables that both use. */
export function CoresDrawing({ isLit, say }: DrawingProps) {
  const isDropped = [
    isLit("own") || isLit("all") || isLit("other"),
    isLit("all"),
  ];
  return (
    <>
      {range(2).map((core) => (
        <g key={core}>
          <Label x={56 + core * 128} y={13}>
            {say("core", { n: core })}
          </Label>
          <Box
            x={8 + core * 128}
            y={18}
            width={96}
            height={22}
            dashed={isDropped[core] ?? false}
            lit={
              isLit("all") ||
              (isLit("own") && core === 0) ||
              (isLit("other") && core === 1) ||
              isLit("tag")
            }
            {...(isLit("other") && core === 1 && { tone: "fault" as const })}
          >
            {isLit("tag")
              ? say("ofProcess", { n: core + 1 })
              : isDropped[core]
                ? say("removed")
                : say("pageToFrame")}
          </Box>
          <Arrow from={[120, 78]} to={[56 + core * 128, 42]} dashed />
        </g>
      ))}
      <Box x={72} y={80} width={96} lit={isLit("own")}>
        {say("changed")}
      </Box>
    </>
  );
}

/** From a guest's virtual address to the memory of the real machine. */
export function WorldsDrawing({ isLit, say }: DrawingProps) {
  return (
    <>
      <Box x={4} y={34} width={58} height={32} tone="guest">
        {say("virtual")}
      </Box>
      <Box x={88} y={34} width={64} height={32} lit={isLit("middle")}>
        {say("guestPhysical")}
      </Box>
      <Box x={178} y={34} width={58} height={32} tone="host">
        {say("physical")}
      </Box>
      <Arrow from={[62, 50]} to={[87, 50]} lit={isLit("guest")} />
      <Arrow from={[152, 50]} to={[177, 50]} lit={isLit("host")} />
      <Label x={75} y={24} lit={isLit("guest")}>
        {say("guestTables")}
      </Label>
      <Label x={170} y={24} lit={isLit("host")}>
        EPT
      </Label>
      {isLit("exit") ? (
        <>
          <Arrow from={[120, 68]} to={[206, 94]} lit />
          <Label x={116} y={94} lit>
            {say("exit")}
          </Label>
        </>
      ) : null}
    </>
  );
}

/** The 24 references of a nested walk: rows are guest tables and the data, columns are host tables. */
export function GridDrawing({ isLit, say }: DrawingProps) {
  return range(25).map((at) => {
    const column = at % 5;
    const row = Math.floor(at / 5);
    const isData = column === 4 && row === 4;
    return isData ? (
      <Label key={at} x={206} y={98}>
        {say("data")}
      </Label>
    ) : (
      <Box
        key={at}
        x={10 + column * 44}
        y={4 + row * 20}
        width={40}
        height={17}
        tone={column === 4 ? "guest" : "host"}
        dashed={isLit("rows") && column < 4 && row > 0}
        lit={isLit("all") || (isLit("rows") && column < 4 && row > 0)}
      >
        {row * 5 + column + 1}
      </Box>
    );
  });
}
