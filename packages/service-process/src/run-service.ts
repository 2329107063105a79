import type { Environment, RunningProcess } from "@storefront/config";
import { createLogger } from "@storefront/telemetry";
import { openService } from "./open-service.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/**
 * Runs one service as its environment says, over a database that is or will be migrated.
 *
 * @throws ConfigError, DatabaseSetupError, ListenError, TlsError
 */
export async function runService(
  definition: ServiceDefinition,
  env: Environment,
): Promise<RunningProcess> {
  const options = definition.optionsOf(env);
  const logger = createLogger({ service: options.name, level: options.logLevel });
  const service = await openService(options, { logger, isAlone: true });
  service.startIndexing();
  return { close: () => service.close(), closeTimeoutMs: options.closeTimeoutMs };
}
