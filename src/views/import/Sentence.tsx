/** A sentence of the core, in which words between backticks are code. */
export function Sentence({ text }: { readonly text: string }) {
  return text
    .split(/`([^`]+)`/)
    .map((part, i) =>
      i % 2 === 1 ? <code key={i}>{part}</code> : <span key={i}>{part}</span>,
    );
}
