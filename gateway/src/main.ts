import { startProcess } from "@storefront/config";
import { createLogger } from "@storefront/telemetry";
import { gatewaySettingsOf } from "./config.ts";
import { createGateway } from "./create-gateway.ts";

await startProcess(async () => {
  const { port, host, logLevel, gateway: options } = gatewaySettingsOf(process.env);
  const logger = createLogger({ service: "gateway", level: logLevel });
  const gateway = createGateway({ ...options, logger });
  const listening = await gateway.listen({ port, host });
  logger.info(listening, "listening");
  return gateway;
});
