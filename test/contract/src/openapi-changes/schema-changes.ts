import { alternativesOf } from "./schema-alternatives.ts";
import { isJson, jsonOf, listOf } from "./json.ts";
import type { Json } from "./json.ts";

/** Whether clients send what a schema describes, or receive it. */
export type Side = "request" | "answer";

/** The documents before and after. */
export interface Documents {
  before: Json;
  after: Json;
}

/**
 * Compares schemas of two documents.
 *
 * @returns a function that returns the changes that break clients of the document before, each with its
 *   location. What a request may hold must only grow, so that every earlier one is accepted. What a
 *   response may hold must only shrink, except for new members, which clients ignore.
 */
export function createSchemaComparison({ before, after }: Documents) {
  const known = new Map<string, string[]>();

  function changes(location: string, side: Side, old: unknown, now: unknown): string[] {
    const key = JSON.stringify([side, old, now]);
    // Schemas with references are compared once; recursive schemas end here.
    if (!key.includes('"$ref"')) return compared(location, side, old, now);
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, []);
    const name = nameOf(old);
    const result = compared(name === undefined ? location : `${name} (${side})`, side, old, now);
    known.set(key, result);
    return result;
  }

  function compared(location: string, side: Side, old: unknown, now: unknown): string[] {
    const oldAlternatives = alternativesOf(old, before);
    const nowAlternatives = alternativesOf(now, after);
    const [narrow, wide] =
      side === "request" ? [oldAlternatives, nowAlternatives] : [nowAlternatives, oldAlternatives];
    return narrow.flatMap((one) => {
      const tried = wide
        .filter((other) => isTypeWithin(one["type"], other["type"]))
        .map((other) =>
          side === "request"
            ? alternativeChanges(location, side, { old: one, now: other })
            : alternativeChanges(location, side, { old: other, now: one }),
        );
      const type = typeof one["type"] === "string" ? one["type"] : "any value";
      const verb = side === "request" ? "no longer takes" : "now answers";
      const [fewest] = tried.toSorted((a, b) => a.length - b.length);
      return fewest ?? [`${location}: ${verb} ${type}`];
    });
  }

  function alternativeChanges(
    location: string,
    side: Side,
    { old, now }: { old: Json; now: Json },
  ): string[] {
    const [narrow, wide] = side === "request" ? [old, now] : [now, old];
    return [
      ...ruleChanges(narrow, wide).map((rule) => `${location}: ${rule} changed`),
      ...(side === "request" && "default" in old && !isSame(old["default"], now["default"])
        ? [`${location}: default changed`]
        : []),
      ...memberChanges(location, side, old, now),
      ...partChanges(location, side, old, now),
    ];
  }

  function memberChanges(location: string, side: Side, old: Json, now: Json): string[] {
    const [oldMembers, nowMembers] = [jsonOf(old["properties"]), jsonOf(now["properties"])];
    const [oldRequired, nowRequired] = [listOf(old["required"]), listOf(now["required"])];
    const removed = Object.keys(oldMembers).filter((name) => !(name in nowMembers));
    const [first, second] =
      side === "request" ? [nowRequired, oldRequired] : [oldRequired, nowRequired];
    const verb = side === "request" ? "is now required" : "may now be absent";
    return [
      ...removed.map((name) => `${location}.${name}: gone`),
      ...first
        .filter((name) => !second.includes(name) && !removed.includes(String(name)))
        .map((name) => `${location}.${String(name)}: ${verb}`),
      ...Object.keys(oldMembers)
        .filter((name) => name in nowMembers)
        .flatMap((name) =>
          changes(`${location}.${name}`, side, oldMembers[name], nowMembers[name]),
        ),
    ];
  }

  function partChanges(location: string, side: Side, old: Json, now: Json): string[] {
    const parts = { items: "[]", additionalProperties: ".*", propertyNames: ".*?" };
    return Object.entries(parts).flatMap(([key, suffix]) => {
      if (old[key] === undefined && now[key] === undefined) return [];
      // A response's object may gain members at any time, so none is closed to begin with.
      if (key === "additionalProperties" && side === "answer" && old[key] === false) return [];
      return changes(`${location}${suffix}`, side, old[key] ?? {}, now[key] ?? {});
    });
  }

  return changes;
}

function nameOf(schema: unknown): string | undefined {
  const { $ref } = jsonOf(schema);
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;
}

function isTypeWithin(narrow: unknown, wide: unknown): boolean {
  return wide === undefined || narrow === wide || (narrow === "integer" && wide === "number");
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const exactRules = ["pattern", "format", "multipleOf", "uniqueItems"];

/** Names of the rules by which a value of the narrow schema need not be one of the wide. */
function ruleChanges(narrow: Json, wide: Json): string[] {
  const values = narrow["enum"];
  const wideValues = wide["enum"];
  if (Array.isArray(wideValues)) {
    const isWithin =
      Array.isArray(values) &&
      values.every((value) => wideValues.some((other) => isSame(value, other)));
    return isWithin ? [] : ["enum"];
  }
  // Listed values are compared one by one where they are added, not here.
  if (Array.isArray(values)) return [];
  const boundOf = (schema: Json, key: string, none: number) => Number(schema[key] ?? none);
  const below = Number.NEGATIVE_INFINITY;
  const above = Number.POSITIVE_INFINITY;
  return [
    ...lowerBounds.filter((key) => boundOf(narrow, key, below) < boundOf(wide, key, below)),
    ...upperBounds.filter((key) => boundOf(narrow, key, above) > boundOf(wide, key, above)),
    ...exactRules.filter((key) => {
      const rule = wide[key];
      return rule !== undefined && rule !== false && !isSame(rule, narrow[key]);
    }),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJson(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
