const wireVarint = 0;
const wireBytes = 2;

/**
 * Builds a serialized message out of parts that are serialized already, with one copy in all.
 * Fields are named by their numbers; what proto3 leaves out (0 and "") is left out.
 */
export class EncodedWriter {
  // Small parts are collected byte by byte, rows are referred to.
  #head: number[] = [];
  readonly #parts: Uint8Array[] = [];
  #sizeBytes = 0;

  /** A singular message field holding `bytes`. */
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
