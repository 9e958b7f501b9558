/** Four squares that grow from top to bottom: the levels of a walk, with the page last. */
export function Brand({ isSmall }: { readonly isSmall: boolean }) {
  return (
    <span className="brand">
      <svg
        width="20"
        height="20"
        viewBox="0 0 20 20"
        fill="currentColor"
        aria-hidden="true"
      >
        <rect x="1" y="1" width="5" height="5" rx="1" />
        <rect x="5" y="5" width="5" height="5" rx="1" opacity=".8" />
        <rect x="9" y="9" width="5" height="5" rx="1" opacity=".62" />
        <rect x="13" y="13" width="6" height="6" rx="1" fill="var(--walk)" />
      </svg>
      <h1 className={isSmall ? "sr-only" : undefined}>Pagewalk</h1>
    </span>
  );
}
