/** Which frames pages get, and what the operating system knows about the address space. */
import type { Frames } from "../../engine/generated/Frames";
import type { MapSource } from "../../engine/generated/MapSource";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { UpperHalf } from "../../engine/generated/UpperHalf";
import { ChoiceField } from "./ChoiceField";
import { RowProblems } from "./RowProblems";

export interface PlacementSectionProps {
  readonly path: string;
  readonly os: OsConfig;
  /** Whether this is the host, which knows nothing about the guest's programs. */
  readonly isHost: boolean;
  readonly onChange: (os: OsConfig) => void;
}

const FRAMES: readonly { readonly value: Frames; readonly word: string }[] = [
  { value: "sequential", word: "sequential" },
  { value: "shuffled", word: "shuffled" },
  { value: "recorded", word: "as recorded" },
];

const SOURCES: readonly { readonly value: MapSource; readonly word: string }[] =
  [
    { value: "trace", word: "recorded or inferred" },
    { value: "recorded", word: "page sizes of the recording" },
    { value: "inferred", word: "inferred from accesses" },
    { value: "none", word: "nothing" },
  ];

const UPPER_HALVES: readonly {
  readonly value: UpperHalf;
  readonly word: string;
}[] = [
  { value: "own", word: "each process has its own" },
  { value: "shared", word: "shared, global" },
];

export function PlacementSection(props: PlacementSectionProps) {
  const { path, os, isHost, onChange } = props;
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>{isHost ? "Frames" : "Frames and memory map"}</h3>
      </div>
      <div className="config-fields config-os">
        <ChoiceField<Frames>
          path={`${path}.frames`}
          label="frames"
          name="Order of the frames"
          help="Sequential: consecutive frames in the order of first touches. Shuffled: a fixed random order, as on a system that has run for a while; neighbouring pages get scattered frames, so they cannot share TLB entries. As recorded: each page has the frame that the trace names, if it has one; other pages get consecutive frames."
          choices={
            isHost ? FRAMES.filter(({ value }) => value !== "recorded") : FRAMES
          }
          value={os.frames}
          onChange={(frames) => onChange({ ...os, frames })}
        />
        {isHost ? null : (
          <ChoiceField<MapSource>
            path={`${path}.map`}
            label="memory map"
            name="Memory map outside the regions"
            help="What lies outside the regions above. Recorded or inferred: as the trace recorded it, or as its accesses suggest if it recorded nothing and a policy needs it. Page sizes of the recording: as measured, if the trace has sizes. Inferred: always as accesses suggest. Nothing: all memory is anonymous."
            choices={SOURCES}
            value={os.map ?? "trace"}
            onChange={(map) => onChange(withMap(os, map))}
          />
        )}
        {isHost ? null : (
          <ChoiceField<UpperHalf>
            path={`${path}.upper_half`}
            label="upper half"
            name="The upper half of the address space"
            help="Shared: the upper half belongs to the kernel. All processes have the same tables there, and its translations are global: process switches keep them in the TLB."
            choices={UPPER_HALVES}
            value={os.upper_half ?? "own"}
            onChange={(half) => onChange(withUpperHalf(os, half))}
          />
        )}
      </div>
      <RowProblems path={`${path}.upper_half`} />
    </section>
  );
}

function withMap(os: OsConfig, map: MapSource): OsConfig {
  const next = { ...os, map };
  if (map === "trace") Reflect.deleteProperty(next, "map");
  return next;
}

function withUpperHalf(os: OsConfig, upper_half: UpperHalf): OsConfig {
  const next = { ...os, upper_half };
  if (upper_half === "own") Reflect.deleteProperty(next, "upper_half");
  return next;
}
