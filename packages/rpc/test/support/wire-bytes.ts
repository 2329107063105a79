import { ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import * as fc from "fast-check";

const messagesMaxDepth = 4;
const unknownNumber = 1999;

/**
 * Messages as they may be on the wire: fields in any order, absent, repeated where one suffices, with explicit
 * defaults, with overlong varints, and with unknown fields.
 */
export function wireBytes(desc: DescMessage, depth = 0): fc.Arbitrary<Uint8Array> {
  const known = desc.fields
    .filter(({ fieldKind }) => fieldKind !== "map")
    .filter(({ message }) => message === undefined || depth < messagesMaxDepth)
    .map((field) => record(field.number, wireTypeOf(field), valueOf(field, depth)));
  const unknown = unknownRecord();
  const records = fc.oneof(
    { weight: 40, arbitrary: known.length === 0 ? unknown : fc.oneof(...known) },
    { weight: 1, arbitrary: unknown },
  );
  return fc.array(records, { maxLength: 8 }).map((parts) => Buffer.concat(parts));
}

/** Bytes that were damaged: truncated, or with bytes changed, removed or added. */
export function damaged(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    position: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    added: fc.uint8Array({ maxLength: 12 }),
  });
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  return fc.tuple(bytes, changes).map(([whole, all]) => {
    const result = [...whole];
    for (const { position, removed, added } of all) {
      result.splice(Math.floor(position * result.length), removed, ...added);
    }
    return Uint8Array.from(result);
  });
}

/** A field that no message has, of any wire type. */
function unknownRecord(groupsMaxDepth = 2): fc.Arbitrary<Uint8Array> {
  const of = (wireType: WireType, value: fc.Arbitrary<Uint8Array>) =>
    record(unknownNumber, wireType, value);
  const records = [
    of(WireType.LengthDelimited, textValue()),
    of(WireType.Varint, varintValue()),
    of(WireType.Bit64, fc.uint8Array({ minLength: 8, maxLength: 8 })),
    of(WireType.Bit32, fc.uint8Array({ minLength: 4, maxLength: 4 })),
  ];
  if (groupsMaxDepth > 0) {
    const end = written((to) => to.tag(unknownNumber, WireType.EndGroup));
    const fields = fc.array(unknownRecord(groupsMaxDepth - 1), { maxLength: 3 });
    const group = fields.map((parts) => Buffer.concat([...parts, end]));
    records.push(of(WireType.StartGroup, group));
  }
  return fc.oneof(...records);
}

function record(
  number: number,
  wireType: WireType,
  value: fc.Arbitrary<Uint8Array>,
): fc.Arbitrary<Uint8Array> {
  const tag = written((to) => to.tag(number, wireType));
  return fc.tuple(lengthened(tag), value).map((parts) => Buffer.concat(parts));
}

function wireTypeOf(field: DescField): WireType {
  if (field.message !== undefined) return WireType.LengthDelimited;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
      return WireType.Bit64;
    default:
      return WireType.Varint;
  }
}

function valueOf(field: DescField, depth: number): fc.Arbitrary<Uint8Array> {
  if (field.message !== undefined) {
    return wireBytes(field.message, depth + 1).map((bytes) => written((to) => to.bytes(bytes)));
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return textValue();
    case ScalarType.BYTES:
      return fc.uint8Array().map((bytes) => written((to) => to.bytes(bytes)));
    case ScalarType.DOUBLE:
      return fc.double().map((value) => written((to) => to.double(value)));
    default:
      return varintValue();
  }
}

function varintValue(): fc.Arbitrary<Uint8Array> {
  return fc
    .oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -1n, max: 300n }),
    )
    .chain((value) => lengthened(written((to) => to.int64(value))));
}

/** ASCII text, which is decoded differently when it is short, and other text. */
function textValue(): fc.Arbitrary<Uint8Array> {
  return fc
    .oneof(fc.string({ size: "medium" }), fc.string({ unit: "grapheme" }))
    .map((text) => written((to) => to.string(text)));
}

/** Sometimes an overlong varint of the same value, also one that is longer than allowed. */
function lengthened(varint: Uint8Array): fc.Arbitrary<Uint8Array> {
  const more = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 11 }) },
  );
  return more.map((count) =>
    count === 0
      ? varint
      : Uint8Array.from([...varint.map((byte) => byte | 0x80), ...padding(count)]),
  );
}

function padding(count: number): number[] {
  return [...Array.from({ length: count - 1 }, () => 0x80), 0];
}

function written(write: (writer: BinaryWriter) => BinaryWriter): Uint8Array {
  return write(new BinaryWriter()).finish();
}
