import { followerNames } from "@storefront/process";
import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront rebuild changelog|search`. */
export const rebuildCommand = defineCommand({
  summary: "Rebuild what the changelog or the search of a running stack derives from its feeds.",
  usage: `${followerNames.join("|")} [options]`,
  options: dataDirectoryOption,
  notes: [
    "The changelog: lists and counts, entries that the catalog's log still has, and the positions of\nrecords; existing entries stay. The search: what it stores of its feeds' records, and a new index\nbeside the live one. Reads continue meanwhile. It may be interrupted and repeated.",
    "The replica that is called rebuilds in its own version, also when a newer one has written: this confirms\na rollback.",
    "The stack is found by CHANGELOG_GRPC_URL or SEARCH_GRPC_URL with INGEST_TOKEN or the service's own\ntoken, else by what `start` wrote into the data directory.",
  ],
  takesPositionals: true,
  async run({ values, positionals: [name, ...rest] }, context) {
    const service = followerNames.find((each) => each === name);
    if (service === undefined || rest.length > 0) {
      throw usageError(`Name what to rebuild: ${followerNames.join(" or ")}.`);
    }
    const { runRebuild } = await import("../followers/repair-followers.ts");
    const summary = await runRebuild(service, context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
});
