/**
 * The difference of two JSON values as a merge patch (RFC 7396): objects merge key by key, `null` removes a
 * key, everything else (arrays too) is replaced.
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

type JsonObject = Readonly<Record<string, Json | undefined>>;

/** The patch that turns `from` into `to`; `undefined` if they are equal. */
export function patchFrom(from: Json, to: Json): Json | undefined {
  if (same(from, to)) return undefined;
  if (!isObject(from) || !isObject(to)) return to;
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  const changed = keys.flatMap((key): [string, Json][] => {
    const [before, after] = [from[key], to[key]];
    if (after === undefined) return before === undefined ? [] : [[key, null]];
    const patch = before === undefined ? after : patchFrom(before, after);
    return patch === undefined ? [] : [[key, patch]];
  });
  return Object.fromEntries(changed);
}

export function applyPatch(to: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json | undefined> = isObject(to)
    ? { ...to }
    : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = applyPatch(result[key] ?? null, value);
  }
  return result;
}

/** Equality of JSON values: the order of keys and `undefined` values do not matter. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(a[key], b[key]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` alone turns a readonly array into `any[]`. */
function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
