import type { Kind, ObservationOf, Records } from "./observation.ts";
import { iso } from "./time.ts";

/** A record as seen at a moment, in ms since 1970. */
export function observe<K extends Kind>(
  kind: K,
  observedMs: number,
  record: Records[K],
): ObservationOf<K> {
  return { kind, op: "upsert", observedAt: iso(observedMs), record };
}
