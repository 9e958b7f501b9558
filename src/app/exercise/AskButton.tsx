/** Near the access: makes questions about it. */
export function AskButton({ onAsk }: { readonly onAsk: () => void }) {
  return (
    <button
      type="button"
      className="access-ask"
      data-no-picture=""
      title="Make an exercise for others from this trace and machine"
      onClick={onAsk}
    >
      Ask about this
    </button>
  );
}
