import { startProcess } from "@storefront/config";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { gatewaySettingsOf } from "./config.ts";
import { createGateway } from "./create-gateway.ts";

await startProcess(async () => {
  const { port, metricsPort, host, logLevel, gateway: options } = gatewaySettingsOf(process.env);
  const logger = createLogger({ service: "gateway", level: logLevel });
  const metrics = createMetrics({ service: "gateway", processMetrics: true });
  const gateway = createGateway({ ...options, logger, metrics });
  const listening = await gateway.listen({ port, metricsPort, host });
  logger.info(listening, "listening");
  return gateway;
});
