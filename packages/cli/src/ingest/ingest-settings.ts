import {
  isRequiredWith,
  option,
  parseEnvironment,
  processShape,
  serverTlsRules,
  serverTlsShape,
  tlsFilesOf,
  zInteger,
  zPort,
  zTokens,
} from "@storefront/process";
import type { Environment } from "@storefront/process";
import { z } from "zod";

/** Options of ingest by HTTP alone. */
export const zIngest = z.object({
  port: option("INGEST_HTTP_PORT", zPort.default(4300)).describe(
    "Port of ingest by HTTP, also of its `/livez`, `/readyz` and `/metrics`; 0 lets the system choose. `start` serves it only where this is set.",
  ),
  tokens: option("INGEST_HTTP_TOKEN", zTokens, "required").describe(
    "What ingest by HTTP requires and `import --url` sends, at least 16 characters; several, separated by commas, while one replaces another.",
  ),
  uploadsMax: option("INGEST_HTTP_UPLOADS_MAX", zInteger(1, 1000).default(4)).describe(
    "Uploads that run at once; further ones get 429.",
  ),
});

/** Schemas of all its options except those that locate a stack. */
export const ingestSchemas = [zIngest, z.object(processShape), z.object(serverTlsShape)] as const;

/** Settings of ingest by HTTP. */
export type IngestSettings = ReturnType<typeof ingestSettingsOf>;

/** @throws ConfigError naming all that is wrong. */
export function ingestSettingsOf(env: Environment) {
  const [ingest, process, tls] = parseEnvironment(ingestSchemas, env, [
    isRequiredWith("INGEST_HTTP_TOKEN", "INGEST_HTTP_PORT"),
    ...serverTlsRules,
  ]);
  return { ...ingest, ...process, tlsFiles: tlsFilesOf(tls) };
}
