import { isUtf8 } from "node:buffer";

/** The encoding of a field's value: the lowest three bits of its tag. */
export const wireTypes = {
  varint: 0,
  bit64: 1,
  lengthDelimited: 2,
  startGroup: 3,
  endGroup: 4,
  bit32: 5,
} as const;

/** Most bytes of a varint. */
const varintMaxBytes = 10;

/** Most bytes of a tag that is read here; the fields of the contracts take two. */
const tagMaxBytes = 4;

/** Most nested groups that are skipped here. */
const groupsMaxDepth = 8;

// Below this many bytes, joining characters is faster than asking the engine to decode.
const shortTextBytes = 12;

/**
 * Reads protobuf's wire format without checking it: a reader whose position is not at the end of the message
 * has read malformed bytes. Its position is NaN after bytes that cannot be read.
 */
export class ByteReader {
  pos = 0;
  readonly buffer: Buffer;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of a field and its wire type; 0, which is not a tag, for those of an unusual length. */
  tag(): number {
    const start = this.pos;
    const tag = this.uint32();
    return this.pos - start > tagMaxBytes ? 0 : tag;
  }

  /** Skips to the end of the field of `tag`; false for bytes that are not a field, and for deep groups. */
  skip(tag: number, depth = 0): boolean {
    // Field 0 does not exist.
    if (tag < 8) return false;
    switch (tag & 7) {
      case wireTypes.varint:
        while ((this.buffer[this.pos++] ?? 0) >= 0x80);
        return true;
      case wireTypes.bit64:
        this.pos += 8;
        return true;
      case wireTypes.lengthDelimited:
        this.pos = this.uint32() + this.pos;
        return true;
      case wireTypes.startGroup: {
        const end = tag - wireTypes.startGroup + wireTypes.endGroup;
        for (let inner = this.tag(); inner !== end; inner = this.tag()) {
          if (depth === groupsMaxDepth || !this.skip(inner, depth + 1)) return false;
        }
        return true;
      }
      case wireTypes.bit32:
        this.pos += 4;
        return true;
      default:
        return false;
    }
  }

  /** A varint's lower 32 bits, unsigned. */
  uint32(): number {
    const { buffer } = this;
    let byte = buffer[this.pos++] ?? 0;
    let value = byte & 0x7f;
    if (byte < 0x80) return value;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = buffer[this.pos++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    byte = buffer[this.pos++] ?? 0;
    value |= (byte & 0x7f) << 28;
    for (let length = 5; byte >= 0x80; length++) {
      if (length === varintMaxBytes) return this.#giveUp();
      byte = buffer[this.pos++] ?? 0;
    }
    return value >>> 0;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    const byte = this.buffer[this.pos] ?? 0;
    if (byte >= 0x80) return this.int64() !== 0n;
    this.pos += 1;
    return byte !== 0;
  }

  int64(): bigint {
    const { buffer } = this;
    const start = this.pos;
    // Seven bytes fit into a number, which is much faster than a bigint.
    let small = 0;
    let factor = 1;
    for (let byte = 0x80; byte >= 0x80; factor *= 128) {
      if (this.pos - start === varintMaxBytes) return BigInt(this.#giveUp());
      byte = buffer[this.pos++] ?? 0;
      small += (byte & 0x7f) * factor;
    }
    if (this.pos - start <= 7) return BigInt(small);
    let value = 0n;
    for (let index = this.pos - 1; index >= start; index--) {
      value = (value << 7n) | BigInt((buffer[index] ?? 0) & 0x7f);
    }
    return BigInt.asIntN(64, value);
  }

  double(): number {
    this.pos += 8;
    if (this.pos > this.buffer.length) return this.#giveUp();
    return this.buffer.readDoubleLE(this.pos - 8);
  }

  string(): string {
    const { buffer } = this;
    const length = this.uint32();
    const start = this.pos;
    const end = start + length;
    this.pos = end;
    if (length > shortTextBytes) return this.#utf8(start, end);
    let text = "";
    for (let index = start; index < end; index++) {
      const byte = buffer[index] ?? 0;
      if (byte > 0x7f) return this.#utf8(start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Text that is not UTF-8 is malformed, also if a later value of its field replaces it. */
  #utf8(start: number, end: number): string {
    const text = this.buffer.toString("utf8", start, end);
    // A search for the replacement character costs almost nothing, unlike a check of the bytes of every text.
    if (text.includes("\uFFFD") && !isUtf8(this.buffer.subarray(start, end))) this.#giveUp();
    return text;
  }

  #giveUp(): number {
    this.pos = Number.NaN;
    return 0;
  }
}
