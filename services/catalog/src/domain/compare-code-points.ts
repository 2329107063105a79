/** Orders texts by code point, as the database does under `collate "C"`; JavaScript's own order is by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
