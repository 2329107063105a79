import { getOption } from "@bufbuild/protobuf";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { member } from "@storefront/contracts/rule/v1/rule";
import * as fc from "fast-check";
import { hostileIdentifiers, hostileMessages } from "./hostile-messages.ts";

// Not exported by the index: strings of any code point take a second and 145 MB to prepare.

/** A kind of record, as far as this module uses it. */
export interface HostileKind {
  readonly name: string;
  readonly schema: DescMessage;
}

/** An observation of a batch. */
export interface HostileObservation {
  readonly kind: string;
  readonly operation: "upsert" | "delete";
  readonly observedAt: Date;
  readonly record: Message;
}

// Services reject times far ahead of the clock, so most are in the past.
const past = fc.oneof(
  fc.constantFrom(new Date("0001-01-01T00:00:00Z"), new Date("1969-12-31T23:59:59.999Z")),
  timesUntil("2026-01-01T00:00:00Z"),
);
const anyTime = timesUntil("9999-12-31T23:59:59.999Z");

/**
 * Observations of any of the kinds, as a caller might send them; see `hostileMessages`.
 *
 * @param vocabularies of members that take certain values only, by local name.
 */
export function hostileObservations(
  kinds: readonly HostileKind[],
  vocabularies: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<HostileObservation> {
  return fc.oneof(
    ...kinds.map(({ name, schema }) =>
      fc.record({
        kind: fc.constant(name),
        operation: fc.constantFrom("upsert" as const, "upsert" as const, "delete" as const),
        observedAt: fc.oneof({ weight: 9, arbitrary: past }, { weight: 1, arbitrary: anyTime }),
        record: hostileMessages(schema, {
          ...Object.fromEntries(identityOf(schema).map((part) => [part, hostileIdentifiers])),
          ...ofMembers(schema, vocabularies),
        }),
      }),
    ),
  );
}

function identityOf(schema: DescMessage): string[] {
  return schema.fields
    .filter((field) => getOption(field, member).identity)
    .map(({ localName }) => localName);
}

function timesUntil(max: string): fc.Arbitrary<Date> {
  const min = new Date("0001-01-01T00:00:00Z");
  return fc.date({ min, max: new Date(max), noInvalidDate: true });
}

function ofMembers(
  { field }: DescMessage,
  vocabularies: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(vocabularies).filter(([name]) => name in field));
}
