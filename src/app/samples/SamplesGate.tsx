/** Shown before samples are replayed or compared as if they were consecutive accesses. */
import type { TraceView } from "../../engine/generated/TraceView";
import { encodePermalink } from "../../model/permalink/permalink";
import { ReplayGate } from "../../views/samples/ReplayGate";
import { useActions } from "../context";

export function SamplesGate({ trace }: { readonly trace: TraceView }) {
  const { replayAsConsecutive } = useActions();
  return (
    <ReplayGate
      trace={trace}
      samples={`#${encodePermalink({ screen: "samples" })}`}
      onReplay={replayAsConsecutive}
    />
  );
}
