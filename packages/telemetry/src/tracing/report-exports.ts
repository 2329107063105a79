import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../create-logger.ts";

/** An exporter that logs when exporting begins to fail and when it works again, not every failure. */
export function reportExports(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing) {
          // Only the message: an answer of the receiver, or the request, may hold its token.
          const cause = result.error?.message;
          logger.warn({ cause }, "traces cannot be exported");
        } else if (!failed && isFailing) logger.info("traces are exported again");
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
