/** Sentences of the core: what stands between backticks is code. */
export function Words({ text }: { readonly text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      <code key={at} className="mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
