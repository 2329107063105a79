import { isIdentifier, isLongerThan } from "@storefront/rpc";

/**
 * What a value must be, as the rest of a sentence (`must be at most 512 characters`), or undefined
 * when it is that. Unknown values are not asked; the rule of a list sees the whole list.
 */
export type Rule = (value: unknown) => string | undefined;

/** Limits of records; over them an observation is rejected. Characters are code points. */
export const limits = {
  identifier: 256,
  title: 512,
  description: 65_536,
  longDescription: 262_144,
  images: 512,
  tags: 512,
  attributes: 1_024,
  collection: 4_096,
  /** UTF-8 bytes of a line of the import format; a record as the line that an export writes. */
  lineBytes: 1024 * 1024,
  /** A record as it travels: with its wrapping it must fit into a request, which has at most 4 MiB. */
  messageBytes: 3.5 * 1024 * 1024,
  /** How far ahead of the service's clock an observation may be. */
  aheadMs: 24 * 60 * 60 * 1000,
} as const;

/** Identifiers and references to them: 1 to 256 characters without control characters. */
export const identifier: Rule = (value) =>
  typeof value === "string" && isIdentifier(value)
    ? undefined
    : `must be 1 to ${limits.identifier} characters without control characters`;

/** Strings of at most `max` code points. */
export function atMostCodePoints(max: number): Rule {
  return (value) =>
    typeof value === "string" && isLongerThan(value, max)
      ? `must be at most ${max} characters`
      : undefined;
}

/** Lists of at most `max` elements. */
export function atMostElements(max: number): Rule {
  return (value) =>
    Array.isArray(value) && value.length > max ? `must have at most ${max} elements` : undefined;
}

/** Numbers from `min` to `max`, inclusive. */
export function between(min: number, max: number): Rule {
  return (value) => {
    // A number would round what lies beyond 2^53.
    const number = typeof value === "bigint" ? value : Number(value);
    return number >= min && number <= max ? undefined : `must be ${min} to ${max}`;
  };
}

/** The rules of members that several kinds have. */
export const rules = {
  title: atMostCodePoints(limits.title),
  description: atMostCodePoints(limits.description),
  longDescription: atMostCodePoints(limits.longDescription),
  images: atMostElements(limits.images),
  tags: atMostElements(limits.tags),
  attributes: atMostElements(limits.attributes),
  collection: atMostElements(limits.collection),
  /** Sizes and counts: 0 to 2^53. */
  size: between(0, 2 ** 53),
} as const;
