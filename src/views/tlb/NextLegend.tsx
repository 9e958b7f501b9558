/** The corner of a cell, in words. */
export function NextLegend() {
  return (
    <p className="lesson-legend">
      <svg width="9" height="9" aria-hidden="true">
        <path d="M9 1v8H1z" fill="var(--text-2)" />
      </svg>{" "}
      the way that the next fill of its set takes
    </p>
  );
}
