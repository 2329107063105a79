/** Parameters of a statement, in order. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** SQL for integers of many rows as bytes: parsing arrays of half a million would block the thread. */
export function packed(integer: string): string {
  return `string_agg(int4send(${integer}), '')`;
}

/** Decodes {@link packed}; null for no rows. */
export function unpacked(bytes: Buffer | null | undefined): Int32Array {
  const integers = new Int32Array((bytes?.length ?? 0) / 4);
  for (let index = 0; index < integers.length; index++) {
    integers[index] = bytes?.readInt32BE(index * 4) ?? 0;
  }
  return integers;
}
