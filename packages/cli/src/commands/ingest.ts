import { dataDirectoryOption, defineCommand } from "../command.ts";

/** `storefront ingest`. */
export const ingestCommand = defineCommand({
  summary: "Take observations by HTTP into a running stack.",
  usage: "[options]",
  options: dataDirectoryOption,
  notes: [
    "POST or PUT /ingest on INGEST_HTTP_PORT (default 4300) with authorization: Bearer and INGEST_HTTP_TOKEN,\nNDJSON or gzip of any size. The response has a line for each refused one, then the summary of `import --json`.",
    "The stack is found as by `import`. At most INGEST_HTTP_UPLOADS_MAX uploads (default 4) run at once.",
    "It runs until Ctrl-C, which lets uploads finish for SHUTDOWN_TIMEOUT_SECONDS.",
  ],
  async run(_given, context) {
    const { runIngest } = await import("../ingest/run-ingest.ts");
    await runIngest(context);
    return 0;
  },
});
