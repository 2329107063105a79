/** Those of some numbers that pass. A loop: `filter` of an `Int32Array` takes eight times as long. */
export function kept(numbers: Int32Array, passes: (number: number) => boolean): Int32Array {
  const passing = new Int32Array(numbers.length);
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    if (passes(number)) passing[count++] = number;
  }
  return passing.subarray(0, count);
}
