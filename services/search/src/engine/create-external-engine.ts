import { ConfigError } from "@storefront/config";
import type { SearchEngine } from "./search-engine.ts";
import { createTypesenseEngine } from "./typesense/create-typesense-engine.ts";

/**
 * The engine outside of the database that the environment names.
 *
 * @returns undefined when it names none.
 * @throws ConfigError when a server is named without its key.
 */
export function createExternalEngine({
  TYPESENSE_URL: url,
  TYPESENSE_API_KEY: apiKey,
}: {
  readonly TYPESENSE_URL?: string | undefined;
  readonly TYPESENSE_API_KEY?: string | undefined;
}): SearchEngine | undefined {
  if (url === undefined) return undefined;
  if (apiKey !== undefined) return createTypesenseEngine({ url, apiKey });
  throw new ConfigError("Wrong configuration: TYPESENSE_API_KEY is required with TYPESENSE_URL.", [
    "TYPESENSE_API_KEY",
  ]);
}
