import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

/** `storefront quarantine [retry]`. */
export const quarantineCommand: Command = {
  summary: "Show what the changelog and the search could not apply, or try it again.",
  usage: "[retry] [options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "An entry of a feed that fails five times by itself is put away with its error, and the rest goes on.\nThe exit status is 1 while any is left.",
    "The stack is found by CHANGELOG_GRPC_URL and SEARCH_GRPC_URL with INGEST_TOKEN or the services' own\ntokens, else by what `start` left in the data directory.",
  ],
  async run(parameters, context) {
    const { values, positionals } = parseArgs({
      args: parameters,
      options,
      allowPositionals: true,
    });
    const [verb, ...rest] = positionals;
    if (rest.length > 0 || (verb !== undefined && verb !== "retry")) {
      throw usageError("The only thing to do with what is quarantined is to retry it.");
    }
    const [{ runQuarantine }, { dataDirectoryOf }] = await Promise.all([
      import("../followers/run-quarantine.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const dataDirectory = dataDirectoryOf(values["data-dir"], context.env);
    const isRetry = verb === "retry";
    const { applied, quarantined } = await runQuarantine({ dataDirectory, isRetry }, context.env);
    if (values.json === true) {
      context.terminal.out(JSON.stringify({ applied, quarantined }));
    } else {
      if (isRetry) context.terminal.out(`${applied} applied, ${quarantined.length} left.`);
      else if (quarantined.length === 0) context.terminal.out("Nothing is quarantined.");
      for (const { service, feed, sequence, kind, key, error } of quarantined) {
        context.terminal.out(`${service}: ${feed} ${sequence}, ${kind} ${key.join(" ")}: ${error}`);
      }
    }
    return quarantined.length === 0 ? 0 : 1;
  },
};
