import { createLogger, createMetrics, startProcess, startTracing } from "@storefront/process";
import { openTlsCredentials } from "@storefront/rpc";
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
