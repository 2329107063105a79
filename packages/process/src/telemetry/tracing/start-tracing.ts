import type { TracingOptions } from "../../config/otel-shape.ts";
import type { Logger } from "../create-logger.ts";
import type { Tracer } from "./tracer.ts";

/**
 * The tracer that these options ask for; without them none, and nothing of OpenTelemetry is loaded.
 * Exports never fail a call: what cannot be sent is dropped, and the log says so once.
 */
export async function startTracing(
  options: TracingOptions | undefined,
  logger: Logger,
): Promise<Tracer | undefined> {
  if (options === undefined) return undefined;
  const { createSdkTracer } = await import("./create-sdk-tracer.ts");
  return createSdkTracer(options, logger);
}
