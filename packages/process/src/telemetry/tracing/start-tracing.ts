import type { TracingOptions } from "../../config/otel-shape.ts";
import type { Logger } from "../create-logger.ts";
import type { Tracer } from "./tracer.ts";

/**
 * The tracer for these options; without them none, and no package of OpenTelemetry is loaded.
 * Exports never fail a call: spans that cannot be sent are dropped, and logged once.
 */
export async function startTracing(
  options: TracingOptions | undefined,
  logger: Logger,
): Promise<Tracer | undefined> {
  if (options === undefined) return undefined;
  const { createSdkTracer } = await import("./create-sdk-tracer.ts");
  return createSdkTracer(options, logger);
}
