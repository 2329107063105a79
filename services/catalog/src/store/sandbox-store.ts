import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./record-row.ts";

/** Reads sandboxes. */
export interface SandboxStore {
  get(sandboxId: string): Promise<RecordRow | undefined>;
}

const getSandbox = {
  name: "catalog.getSandbox",
  text: "select record from catalog.sandbox where id = $1",
};

export function createSandboxStore(database: Queryable): SandboxStore {
  return {
    get: (sandboxId) => database.readOne<RecordRow>(getSandbox, [sandboxId]),
  };
}
