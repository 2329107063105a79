import type { Queryable } from "@storefront/database";
import type { LiveNote } from "../live-generation.ts";

/** SQLSTATE of a table that does not exist. */
const undefinedTable = "42P01";

/** Notes the live generation in a table of one row. */
export function liveTable(database: Queryable): LiveNote {
  return {
    async read() {
      const row = await database.readOne<{ generation: number }>(
        "select generation from search.live_generation",
      );
      return row?.generation;
    },
    async write(tx, generation) {
      await tx.write("delete from search.live_generation");
      await tx.write("insert into search.live_generation (generation) values ($1)", [generation]);
    },
    isMissing: (error) =>
      error instanceof Error && "code" in error && error.code === undefinedTable,
  };
}
