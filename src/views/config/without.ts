/** A copy without one of its optional fields: in JSON, a missing field differs from an undefined one. */
export function without<T extends object, K extends keyof T>(
  object: T,
  key: K,
): Omit<T, K> {
  const copy = { ...object };
  Reflect.deleteProperty(copy, key);
  return copy;
}
