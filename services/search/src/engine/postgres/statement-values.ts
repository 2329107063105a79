/** Values for the parameters of a statement, in order. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The placeholder of a value. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * SQL for integers of many rows as bytes, in their order: arrays of half a million would keep the thread from
 * other work while they are parsed.
 */
export function packed(integer: string): string {
  return `string_agg(int4send(${integer}), '')`;
}

/** What was {@link packed}; null, of no rows, is none. */
export function unpacked(bytes: Buffer | null | undefined): Int32Array {
  const integers = new Int32Array((bytes?.length ?? 0) / 4);
  for (let index = 0; index < integers.length; index++) {
    integers[index] = bytes?.readInt32BE(index * 4) ?? 0;
  }
  return integers;
}
