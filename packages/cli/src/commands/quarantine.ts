import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront quarantine [retry]`. */
export const quarantineCommand = defineCommand({
  summary: "Show the feed entries that changelog and search could not apply, or retry them.",
  usage: "[retry] [options]",
  options: dataDirectoryOption,
  notes: [
    "A feed entry that fails five times on its own is quarantined with its error, and the feed continues.\nThe exit status is 1 while any is left.",
    "The stack is found by CHANGELOG_GRPC_URL and SEARCH_GRPC_URL with INGEST_TOKEN or the services' own\ntokens, else by what `start` wrote into the data directory.",
  ],
  takesPositionals: true,
  async run({ values, positionals: [verb, ...rest] }, context) {
    if (rest.length > 0 || (verb !== undefined && verb !== "retry")) {
      throw usageError("Only `retry` may follow `quarantine`.");
    }
    const { runQuarantine } = await import("../followers/repair-followers.ts");
    const isRetry = verb === "retry";
    const { applied, quarantined } = await runQuarantine({ isRetry }, context);
    const { out } = context.terminal;
    if (values.json === true) {
      out(JSON.stringify({ applied, quarantined }));
    } else {
      if (isRetry) out(`${applied} applied, ${quarantined.length} left.`);
      else if (quarantined.length === 0) out("Nothing is quarantined.");
      for (const { service, feed, sequence, kind, key, error } of quarantined) {
        out(`${service}: ${feed} ${sequence}, ${kind} ${key.join(" ")}: ${error}`);
      }
    }
    return quarantined.length === 0 ? 0 : 1;
  },
});
