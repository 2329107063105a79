/** A vector as it is stored: 32-bit floats, little endian. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** Reads a stored vector into a row of a matrix. */
export function readVector(bytes: Buffer, row: Float32Array): void {
  for (let index = 0; index < row.length; index++) row[index] = bytes.readFloatLE(index * 4);
}
