/** A copy without one of its optional fields: "left out" and "undefined" are not the same in JSON. */
export function without<T extends object, K extends keyof T>(
  object: T,
  key: K,
): Omit<T, K> {
  const copy = { ...object };
  Reflect.deleteProperty(copy, key);
  return copy;
}
