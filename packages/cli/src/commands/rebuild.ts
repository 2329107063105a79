import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

const rebuilt = ["changelog", "search"] as const;

/** `storefront rebuild changelog|search`. */
export const rebuildCommand: Command = {
  summary: "Make anew what the changelog or the search of a running stack makes of its feeds.",
  usage: "changelog|search [options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "Of the changelog: lists and counts, entries that the catalog's log still tells of, and the places of\nrecords; entries that are there stay. Of the search: what its owners' records say, and a new index\nbeside the live one. Readers are answered meanwhile. It may be broken off and repeated.",
    "It is done in the version of the replica that is asked, also when a newer one has written: so a\nrollback is confirmed.",
    "The stack is found by CHANGELOG_GRPC_URL or SEARCH_GRPC_URL with INGEST_TOKEN or the service's own\ntoken, else by what `start` left in the data directory.",
  ],
  async run(parameters, context) {
    const { values, positionals } = parseArgs({
      args: parameters,
      options,
      allowPositionals: true,
    });
    const service = rebuilt.find((each) => each === positionals[0]);
    if (service === undefined || positionals.length > 1) {
      throw usageError(`Name what to rebuild: ${rebuilt.join(" or ")}.`);
    }
    const [{ runRebuild }, { dataDirectoryOf }] = await Promise.all([
      import("../followers/run-rebuild.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const dataDirectory = dataDirectoryOf(values["data-dir"], context.env);
    const summary = await runRebuild({ service, dataDirectory }, context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
};
