import { toJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";

// As deep as protobuf's own JSON goes; what is deeper could not be written into an answer.
const depthMax = 100;

/**
 * A value of a change: the canonical one, even when it is null, else the one read from what a
 * foreign source wrote; undefined when there is neither. The search index answers ids only, so that
 * no third value comes between the two.
 */
export function hydrateValue(
  canonical: Value | undefined,
  raw: Value | undefined,
): JsonValue | undefined {
  return canonical === undefined ? parseRaw(jsonOf(raw)) : jsonOf(canonical);
}

/** A free-form value as JSON; undefined when it is absent. */
export function jsonOf(value: Value | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === undefined ? null : toJson(ValueSchema, value);
}

function parseRaw(raw: JsonValue | undefined): JsonValue | undefined {
  if (typeof raw !== "string") return raw;
  try {
    const parsed = JSON.parse(raw) as JsonValue;
    return isAtMostDeep(parsed, depthMax) ? parsed : raw;
  } catch {
    return raw;
  }
}

function isAtMostDeep(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isAtMostDeep(member, levels - 1));
}
