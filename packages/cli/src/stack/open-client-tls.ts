import { clientTlsRules, clientTlsShape, parseEnvironment, tlsFilesOf } from "@storefront/config";
import type { Environment } from "@storefront/config";
import { openTlsCredentials } from "@storefront/rpc";
import type { TlsCredentials } from "@storefront/rpc";
import { createLogger } from "@storefront/telemetry";
import { z } from "zod";

const zTls = z.object(clientTlsShape);

/**
 * What a command shows to services that speak TLS and whom it trusts; undefined where no variable is
 * about it.
 *
 * @throws ConfigError, TlsError
 */
export async function openClientTls(env: Environment): Promise<TlsCredentials | undefined> {
  const [config] = parseEnvironment([zTls], env, clientTlsRules);
  const files = tlsFilesOf(config);
  if (files === undefined) return undefined;
  const logger = createLogger({ service: "cli", level: "warn", destination: process.stderr });
  return await openTlsCredentials({ ...files, logger });
}
