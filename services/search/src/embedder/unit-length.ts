/** Makes a vector one of unit length; zeros stay. */
export function toUnitLength(vector: Float32Array): void {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return;
  const scale = 1 / Math.sqrt(square);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
}
