import { followerNames } from "@storefront/config";
import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront rebuild changelog|search`. */
export const rebuildCommand = defineCommand({
  summary: "Make anew what the changelog or the search of a running stack makes of its feeds.",
  usage: `${followerNames.join("|")} [options]`,
  options: dataDirectoryOption,
  notes: [
    "Of the changelog: lists and counts, entries that the catalog's log still tells of, and the places of\nrecords; entries that are there stay. Of the search: what its owners' records say, and a new index\nbeside the live one. Readers are answered meanwhile. It may be broken off and repeated.",
    "It is done in the version of the replica that is asked, also when a newer one has written: so a\nrollback is confirmed.",
    "The stack is found by CHANGELOG_GRPC_URL or SEARCH_GRPC_URL with INGEST_TOKEN or the service's own\ntoken, else by what `start` left in the data directory.",
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
