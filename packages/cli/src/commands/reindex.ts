import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront reindex [--status|--cancel]`. */
export const reindexCommand = defineCommand({
  summary: "Rebuild the search index of a running stack.",
  usage: "[options]",
  options: {
    status: { type: "boolean", help: "Show the reindex in progress, else the last one." },
    cancel: { type: "boolean", help: "Cancel the reindex in progress; the live index stays." },
    ...dataDirectoryOption,
  },
  notes: [
    "The new index is built beside the live one, which serves until the new one has caught up.\nThe search service builds it, one at a time for all replicas: it continues when this command ends, and\nin another process when its own ends.",
    "The stack is found by SEARCH_GRPC_URL (host:port, or https://host:port with TLS_CA_FILE,\nTLS_CERT_FILE and TLS_KEY_FILE) with INGEST_TOKEN or SEARCH_INGEST_TOKEN, else by what `start` wrote\ninto the data directory.",
  ],
  async run({ values }, context) {
    const { status = false, cancel: isCancelled = false, json = false } = values;
    if (status && isCancelled) throw usageError("--status and --cancel do not go together.");
    const { out } = context.terminal;
    const { describeReindex, runReindex } = await import("../reindex/run-reindex.ts");
    if (status || isCancelled) {
      const { reindexSentence } = await import("../reindex/run-reindex.ts");
      const job = await describeReindex({ isCancelled }, context);
      const none = isCancelled ? "No reindex is in progress." : "There has been no reindex.";
      if (json) out(JSON.stringify(job ?? null));
      else out(job === undefined ? none : reindexSentence(job));
      return 0;
    }
    const summary = await runReindex(context);
    if (json) out(JSON.stringify(summary));
    return 0;
  },
});
