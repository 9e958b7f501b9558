// What all rows of the table are made of.

export const MIB = 2 ** 20;

export const row = (
  name,
  unit,
  values,
  { targets = {}, atMost = false } = {},
) => ({
  name,
  unit,
  values,
  targets,
  atMost,
});

export function median(numbers) {
  const sorted = [...numbers].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}
