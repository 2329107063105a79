import {
  dataDirectoryOption,
  defineCommand,
  originOption,
  retryForMsOf,
  retryForOption,
} from "../command.ts";
import type { CommandContext } from "../command.ts";
import type { ImportOptions } from "../import/run-import.ts";
import type { SummaryRecorder } from "../import/summary.ts";
import { usageError } from "../user-error.ts";

/** `storefront import FILE…`. */
export const importCommand = defineCommand({
  summary: "Import files of observations into a running stack.",
  usage: "FILE… [options]",
  options: {
    ...retryForOption,
    url: {
      type: "string",
      value: "ORIGIN",
      help: "Send the files to ingest by HTTP, such as http://ingest:4300, with INGEST_HTTP_TOKEN.",
    },
    ...dataDirectoryOption,
  },
  notes: [
    "A FILE is NDJSON, plain or gzip; - is standard input. Importing a file again changes nothing, so\nan interrupted import is repeated.",
    "When the connection to a service breaks, as during a restart, the import waits and continues with\nthe first lines without a response. Each response restarts the time.",
    "The stack is found by CATALOG_GRPC_URL, PRICING_GRPC_URL, REVIEWS_GRPC_URL and, to import an export,\nCHANGELOG_GRPC_URL and SEARCH_GRPC_URL (host:port, or https://host:port with TLS_CA_FILE,\nTLS_CERT_FILE and TLS_KEY_FILE) with INGEST_TOKEN or CATALOG_INGEST_TOKEN and so on, else by what\n`start` wrote into the data directory.",
    "With --url, --retry-for is the time for ingest itself; services that it cannot reach it retries for 5 minutes.",
    "Exit status 1 when any line was not applied; each is reported with its number and reason.",
  ],
  takesPositionals: true,
  async run({ values, positionals: files }, context) {
    if (files.length === 0) throw usageError("Name at least one file to import.");
    if (files.filter((file) => file === "-").length > 1) {
      throw usageError("Standard input can be imported once only.");
    }
    const { json: keepErrors = false, url } = values;
    const options = { files, keepErrors, retryForMs: retryForMsOf(values) };
    const summary = await importOrUpload(options, url, context);
    const { printSummary } = await import("../import/summary.ts");
    if (keepErrors) context.terminal.out(JSON.stringify(summary.result()));
    else printSummary(context.terminal, summary);
    return summary.rejectedCount === 0 ? 0 : 1;
  },
});

async function importOrUpload(
  options: ImportOptions,
  url: string | undefined,
  context: CommandContext,
): Promise<SummaryRecorder> {
  if (url === undefined) {
    const { runImport } = await import("../import/run-import.ts");
    return await runImport(options, context);
  }
  const origin = originOption("--url", url);
  const { uploadFiles } = await import("../import/upload-files.ts");
  return await uploadFiles({ ...options, url: origin }, context);
}
