/** Which fields of a mapping the editor's form has. */

/** Whose mapping is shown. */
export type Side = "guest" | "host";

/** True if the form of this side has a place for problems of this field. */
export function isShown(field: string, side: Side): boolean {
  const path = side === "host" ? /^os\.host\./ : /^os\.(?!host)/;
  const rest = field.replace(/^os\.(host\.)?/, "");
  return (
    path.test(field) &&
    /^(default$|upper_half$|regions\[|thp(\.|$)|hugetlb\[|hugetext(\.|$))/.test(
      rest,
    )
  );
}
