import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

/** `storefront reindex`. */
export const reindexCommand: Command = {
  summary: "Build the search index of a running stack anew.",
  usage: "[options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "The new index is built beside the live one, which answers until the new one has caught up.",
    "The stack is found by SEARCH_GRPC_URL (host:port, or https://host:port with TLS_CA_FILE,\nTLS_CERT_FILE and TLS_KEY_FILE) with INGEST_TOKEN or SEARCH_INGEST_TOKEN, else by what `start` left\nin the data directory.",
  ],
  async run(parameters, context) {
    const { values } = parseArgs({ args: parameters, options });
    const [{ runReindex }, { dataDirectoryOf }] = await Promise.all([
      import("../reindex/run-reindex.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const summary = await runReindex(dataDirectoryOf(values["data-dir"], context.env), context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
};
