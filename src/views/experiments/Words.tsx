/** Shows a text of the core, in which words between backticks are code. */
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
