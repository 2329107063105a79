/**
 * A set of numbers with a bit for each, in which SQL looks numbers up by {@link isAmong}: half a million are
 * 62 kB, where an array of them would keep the thread from other work while it is written.
 */
export function numberBits(numbers: Int32Array): Buffer {
  let last = 0;
  for (const number of numbers) last = Math.max(last, number);
  const bits = Buffer.alloc((last >> 3) + 1);
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits;
}

/** SQL for whether a number is in the set of a parameter. */
export function isAmong(number: string, bits: string): string {
  const set = `${bits}::bytea`;
  return `case when ${number} < length(${set}) * 8 then get_bit(${set}, ${number}) = 1 else false end`;
}
