/** Object identifiers of the two element types that columns are sent as. */
const elementOid = { bytea: 17, text: 25 };

/**
 * A column of values as one array parameter, in PostgreSQL's binary format, which the drivers pass
 * on as it is. There is nothing to quote, and bytes are not doubled by hexadecimal.
 *
 * @param values text or bytes; null stays null.
 * @param element `bytea` or `text`, as the statement declares the parameter.
 */
export function arrayParameter(
  values: readonly (string | Uint8Array | null)[],
  element: keyof typeof elementOid,
): Buffer {
  const encoded = values.map((value) =>
    typeof value === "string" ? Buffer.from(value, "utf8") : value,
  );
  const sizeBytes = encoded.reduce((sum, bytes) => sum + 4 + (bytes?.length ?? 0), 20);
  const array = Buffer.allocUnsafe(sizeBytes);
  // array_recv: dimensions, whether there are nulls, element type, then length and lower bound.
  array.writeInt32BE(1, 0);
  array.writeInt32BE(encoded.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(elementOid[element], 8);
  array.writeInt32BE(encoded.length, 12);
  array.writeInt32BE(1, 16);
  let offset = 20;
  for (const bytes of encoded) {
    offset = array.writeInt32BE(bytes?.length ?? -1, offset);
    if (bytes !== null) {
      array.set(bytes, offset);
      offset += bytes.length;
    }
  }
  return array;
}
