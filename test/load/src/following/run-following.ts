// `pnpm bench --following [--search-engine postgres|typesense] [--database postgres|pglite] [--json]`: how soon a search
// shows what is imported into the real catalogue. With `--snapshot [--prices 2600000]`: how soon search agrees with a
// snapshot of so many prices, killed three times on the way.
import { sharedData } from "@storefront/testkit";
import { parseArgs } from "node:util";
import { measureFollowing } from "./measure-following.ts";
import { measureSnapshot } from "./measure-snapshot.ts";
import { searchEngineOf, startSearchBackend } from "../search-backend.ts";

const { values } = parseArgs({
  options: {
    following: { type: "boolean" },
    snapshot: { type: "boolean" },
    prices: { type: "string", default: "2600000" },
    json: { type: "boolean" },
    "search-engine": { type: "string", default: "postgres" },
    database: { type: "string", default: "postgres" },
  },
});
const { database } = values;
if (database !== "pglite" && database !== "postgres") {
  throw new Error("--database is postgres or pglite");
}

function print(name: string, figures: object): void {
  const lines = Object.entries(figures).map(
    ([key, value]) => `${key} ${Number(value).toFixed(1)}\n`,
  );
  process.stdout.write(
    values.json === true ? `${JSON.stringify({ [name]: figures })}\n` : lines.join(""),
  );
}

const data = values.snapshot === true ? undefined : sharedData();
if (values.snapshot === true) {
  print("snapshot", await measureSnapshot(Number(values.prices)));
} else if (data !== undefined) {
  const backend = await startSearchBackend(searchEngineOf(values["search-engine"]));
  try {
    print("following", await measureFollowing({ database, backend, data }));
  } finally {
    await backend.stop();
  }
}
