import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

// Every member of an init shape is optional, so a value without members is valid.
class EncodedMessage {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * A message that is serialized already: a handler returns or yields it, and the bytes are sent unchanged.
 * `bytes` must be a serialized message of `schema`'s type.
 */
export function encoded<Desc extends DescMessage>(
  _schema: Desc,
  bytes: Uint8Array,
): MessageInitShape<Desc> {
  return new EncodedMessage(bytes) as object as MessageInitShape<Desc>;
}

/** Parts of a message by field name: serialized messages, numbers or texts; null is omitted. */
type EncodedParts<Desc extends DescMessage> = {
  readonly [Name in keyof Desc["field"]]?:
    | Uint8Array
    | readonly Uint8Array[]
    | number
    | bigint
    | string
    | null;
};

/** The same from parts: for a message field its bytes, or those of each element if it is repeated. */
export function encodedOf<Desc extends DescMessage>(
  schema: Desc,
  parts: EncodedParts<Desc>,
): MessageInitShape<Desc> {
  const writer = new EncodedWriter();
  for (const [name, part] of Object.entries(parts)) {
    const field = schema.field[name];
    if (field === undefined) throw new TypeError(`${schema.typeName} has no field ${name}`);
    if (part === null || part === undefined) continue;
    if (part instanceof Uint8Array) writer.message(field.number, part);
    else if (typeof part === "string") writer.string(field.number, part);
    else if (typeof part === "object") writer.messages(field.number, part);
    else writer.varint(field.number, part);
  }
  return encoded(schema, writer.finish());
}

/** The bytes of a handler's result, without copying those of `encoded`. */
export function toBytes<Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
): Uint8Array {
  return message instanceof EncodedMessage
    ? message.bytes
    : toBinary(schema, create(schema, message));
}

/** The message of a handler's result; decodes those of `encoded`. */
export function toMessage<Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
): MessageShape<Desc> {
  return message instanceof EncodedMessage
    ? fromBinary(schema, message.bytes)
    : create(schema, message);
}

const wireVarint = 0;
const wireBytes = 2;

/**
 * Builds a serialized message from serialized parts, with one copy in total.
 * Fields are named by their numbers; values that proto3 omits (0 and "") are omitted.
 */
export class EncodedWriter {
  // Small parts are collected byte by byte, rows by reference.
  #head: number[] = [];
  readonly #parts: Uint8Array[] = [];
  #sizeBytes = 0;

  /** A singular message field with `bytes`. */
  message(field: number, bytes: Uint8Array): this {
    this.#tag(field, wireBytes);
    this.#varint(bytes.length);
    return this.raw(bytes);
  }

  /** A repeated message field, one element per row. */
  messages(field: number, rows: Iterable<Uint8Array>): this {
    for (const row of rows) this.message(field, row);
    return this;
  }

  string(field: number, value: string): this {
    return value === "" ? this : this.message(field, Buffer.from(value, "utf8"));
  }

  /** An unsigned integer, a non-negative int32 or int64, an enum, or a bool as 0 or 1. */
  varint(field: number, value: number | bigint): this {
    if (value < 0) throw new RangeError(`field ${field}: ${value} is negative`);
    if (Number(value) === 0) return this;
    this.#tag(field, wireVarint);
    this.#varint(value);
    return this;
  }

  /** Fields that are serialized already, tags included. */
  raw(bytes: Uint8Array): this {
    this.#flushHead();
    this.#parts.push(bytes);
    this.#sizeBytes += bytes.length;
    return this;
  }

  finish(): Uint8Array {
    this.#flushHead();
    const only = this.#parts[0];
    if (only !== undefined && this.#parts.length === 1) return only;
    const result = Buffer.allocUnsafe(this.#sizeBytes);
    let offset = 0;
    for (const part of this.#parts) {
      result.set(part, offset);
      offset += part.length;
    }
    return result;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number | bigint): void {
    if (typeof value === "bigint") {
      for (; value > 0x7fn; value >>= 7n) this.#head.push(Number(value & 0x7fn) | 0x80);
      this.#head.push(Number(value));
      return;
    }
    // Division, because shifts are limited to 32 bits.
    for (; value > 0x7f; value = Math.floor(value / 128)) this.#head.push((value % 128) | 0x80);
    this.#head.push(value);
  }

  #flushHead(): void {
    if (this.#head.length === 0) return;
    this.#parts.push(Uint8Array.from(this.#head));
    this.#sizeBytes += this.#head.length;
    this.#head = [];
  }
}
