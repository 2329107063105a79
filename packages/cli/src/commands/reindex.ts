import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = {
  ...commonOptions,
  "data-dir": { type: "string" },
  status: { type: "boolean" },
  cancel: { type: "boolean" },
} as const;

/** `storefront reindex [--status|--cancel]`. */
export const reindexCommand: Command = {
  summary: "Build the search index of a running stack anew.",
  usage: "[options]",
  options: {
    status: { help: "Tell of the reindex under way, else of the last one." },
    cancel: { help: "End the reindex under way; the index that answers stays." },
    "data-dir": dataDirectoryHelp,
    ...commonHelp,
  },
  notes: [
    "The new index is built beside the live one, which answers until the new one has caught up.\nThe search service builds it, one at a time for all replicas: it goes on when this command ends, and\nin another process when its own has ended.",
    "The stack is found by SEARCH_GRPC_URL (host:port, or https://host:port with TLS_CA_FILE,\nTLS_CERT_FILE and TLS_KEY_FILE) with INGEST_TOKEN or SEARCH_INGEST_TOKEN, else by what `start` left\nin the data directory.",
  ],
  async run(parameters, context) {
    const { values } = parseArgs({ args: parameters, options });
    const { status = false, cancel: isCancelled = false, json = false } = values;
    if (status && isCancelled) throw usageError("--status and --cancel do not go together.");
    const { env, terminal } = context;
    const { dataDirectoryOf } = await import("../stack/data-directory.ts");
    const dataDirectory = dataDirectoryOf(values["data-dir"], env);
    if (status || isCancelled) {
      const [{ describeReindex }, { reindexSentence }] = await Promise.all([
        import("../reindex/describe-reindex.ts"),
        import("../reindex/reindex-status.ts"),
      ]);
      const job = await describeReindex(dataDirectory, env, { isCancelled });
      const none = isCancelled ? "No reindex is under way." : "There has been no reindex.";
      if (json) terminal.out(JSON.stringify(job ?? null));
      else terminal.out(job === undefined ? none : reindexSentence(job));
      return 0;
    }
    const { runReindex } = await import("../reindex/run-reindex.ts");
    const summary = await runReindex(dataDirectory, context);
    if (json) terminal.out(JSON.stringify(summary));
    return 0;
  },
};
