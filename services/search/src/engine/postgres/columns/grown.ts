/** Typed arrays of numbers. */
export type NumberArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** The array, or a longer copy of it where it is shorter than is needed; what is new is 0. */
export function grown<Numbers extends NumberArray>(numbers: Numbers, length: number): Numbers {
  if (numbers.length >= length) return numbers;
  // A quarter more than is needed, so that what grows by and by is seldom copied.
  const longer = new (numbers.constructor as new (length: number) => Numbers)(
    Math.ceil(length * 1.25),
  );
  longer.set(numbers);
  return longer;
}
