import { join } from "node:path";
import type { Plugin } from "rolldown";

/** Modules that deployed processes have no use for, and their stand-ins. */
const standIns = {
  // 20 MB of WebAssembly, for laptops and single nodes. The error is imported from the index, which every release has.
  "packages/database/src/drivers/share-pglite-pool.ts": `
    import { DatabaseSetupError } from "../index.ts";
    export async function sharePglitePool() {
      throw new DatabaseSetupError(
        "UNSUPPORTED_DATABASE_URL",
        "A bundled process has no PGlite: the database URL must start with postgres:// or neon://.",
      );
    }`,
  // Runs gateway and services from their sources.
  "packages/cli/src/stack/run-start.ts": `
    import { UserError } from "../user-error.ts";
    export async function runStart() {
      throw new UserError("A bundle has no \`start\`: each process is deployed by itself.");
    }`,
};

/** Replaces modules that would only make a bundle larger. */
export function leaveOut(root: string): Plugin {
  const codeOf = new Map(
    Object.entries(standIns).map(([path, code]) => [join(root, path), code] as const),
  );
  return {
    name: "leave-out",
    load: {
      filter: { id: /\/(share-pglite-pool|run-start)\.ts$/ },
      handler(id) {
        return codeOf.get(id);
      },
    },
  };
}
