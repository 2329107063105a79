import { isDeepStrictEqual } from "node:util";
import type { Json } from "./vector.ts";

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Numbers are equal within 1e-5, relative to the wanted one where that is more. */
export function closeTo(wanted: number, given: unknown, tolerance = 1e-5): boolean {
  return (
    typeof given === "number" &&
    Math.abs(wanted - given) <= Math.max(tolerance, 1e-5 * Math.abs(wanted))
  );
}

/** Whether a value contains another: objects may have more keys, lists may be longer. */
export function contains(wanted: unknown, given: unknown): boolean {
  if (typeof wanted === "number") return closeTo(wanted, given);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given)) return false;
    if (wanted.length === 0) return given.length === 0;
    return wanted.every(
      (element, index) => index < given.length && contains(element, given[index]),
    );
  }
  if (isObject(wanted)) {
    const keys = Object.keys(wanted);
    if (keys.length === 0) return given !== undefined;
    return (
      isObject(given) && keys.every((key) => key in given && contains(wanted[key], given[key]))
    );
  }
  return isDeepStrictEqual(wanted, given);
}

/** What a JSON pointer names; undefined when there is nothing. */
export function at(body: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(value)) return value[Number(key)] as unknown;
      return isObject(value) ? value[key] : undefined;
    }, body);
}
