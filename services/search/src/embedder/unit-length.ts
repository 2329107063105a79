export function lengthOf(vector: Float32Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}

/** Makes a vector one of unit length; zeros stay. */
export function toUnitLength(vector: Float32Array): void {
  const scale = 1 / lengthOf(vector);
  if (scale === Infinity) return;
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
}
