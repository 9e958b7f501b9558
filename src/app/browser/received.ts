/** Reads an answer while it arrives. The browser may keep the parts on disk. Errors of `onProgress` end it. */
export async function received(
  answer: Response,
  onProgress: (done: number) => void,
): Promise<Blob> {
  let done = 0;
  let refused: unknown;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, out) => {
      done += part.length;
      try {
        onProgress(done);
      } catch (thrown) {
        refused = thrown;
        throw thrown;
      }
      out.enqueue(part);
    },
  });
  try {
    return await new Response(answer.body?.pipeThrough(counting)).blob();
  } catch (thrown) {
    // Some browsers replace the error.
    throw refused ?? thrown;
  }
}
