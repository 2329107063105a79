import { types } from "pg";
import type { CustomTypesConfig } from "pg";

/** Object identifier of `int8[]`, which the driver's list of built-in types leaves out. */
const int8Array = 1016;

/** Types that are parsed otherwise than the driver does by default. */
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.BYTEA, (text) => Buffer.from(text.slice(2), "hex")],
  // Exact, and what protobuf's int64 is; the driver's default is a string.
  [types.builtins.INT8, BigInt],
  [int8Array, parseInt8Array],
  // Without a zone the driver would read these in the process's own.
  [types.builtins.DATE, String],
  [types.builtins.TIMESTAMP, String],
]);

/** The pool setting that decides how column values are parsed, the same for every driver. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser(typeId, format) {
    const own = format === "binary" ? undefined : parsers.get(typeId);
    return own ?? types.getTypeParser(typeId, format);
  },
};

/** One dimension only: `{1,NULL,3}`. */
function parseInt8Array(text: string): (bigint | null)[] {
  const items = text.slice(1, -1);
  if (items === "") return [];
  return items.split(",").map((item) => (item === "NULL" ? null : BigInt(item)));
}
