/** The fields of a mapping that the editor's form shows. */

/** The side of a virtual machine whose mapping is shown. */
export type Side = "guest" | "host";

/** Returns whether the form of this side has a place for errors of this field. */
export function isShown(field: string, side: Side): boolean {
  const path = side === "host" ? /^os\.host\./ : /^os\.(?!host)/;
  const rest = field.replace(/^os\.(host\.)?/, "");
  return (
    path.test(field) &&
    /^(default$|upper_half$|regions\[|thp(\.|$)|hugetlb\[|hugetext(\.|$)|given(\.|$))/.test(
      rest,
    )
  );
}
