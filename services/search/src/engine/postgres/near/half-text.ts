/** A vector as pgvector reads it; more digits than halves of floats hold. */
export function halfText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(6)).join(",")}]`;
}
