/** Type of a body unless its endpoint has another one. */
export const jsonType = "application/json; charset=utf-8";

/** Names and values in turn as pairs. */
export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, index): [string, string][] => {
    const value = headers[index + 1];
    return index % 2 === 0 && value !== undefined ? [[name, value]] : [];
  });
}
