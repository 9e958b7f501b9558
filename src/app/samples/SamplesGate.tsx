/** Before samples are replayed or compared as what they are not. */
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
