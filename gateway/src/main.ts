import { startProcess } from "@storefront/config";
import { openTlsCredentials } from "@storefront/rpc";
import { createLogger, createMetrics, startTracing } from "@storefront/telemetry";
import { gatewaySettingsOf } from "./config.ts";
import { createGateway } from "./create-gateway.ts";

await startProcess(async () => {
  const settings = gatewaySettingsOf(process.env);
  const { port, metricsPort, host, tlsFiles } = settings;
  const logger = createLogger({ service: "gateway", level: settings.logLevel });
  const metrics = createMetrics({ service: "gateway", processMetrics: true });
  const tracer = await startTracing(settings.tracing, logger);
  const tls = tlsFiles && (await openTlsCredentials({ ...tlsFiles, logger }));
  const gateway = createGateway({ ...settings.gateway, logger, metrics, tracer, tls });
  const listening = await gateway.listen({ port, metricsPort, host });
  logger.info(listening, "listening");
  return { close: () => gateway.close(), closeTimeoutMs: settings.closeTimeoutMs };
});
