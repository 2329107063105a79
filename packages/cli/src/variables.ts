import { clientTlsShape, serviceNames, variablesIn } from "@storefront/process";
import { z } from "zod";
import { zDataDirectory } from "./command.ts";
import { ingestSchemas, zIngest } from "./ingest/ingest-settings.ts";
import { zGrpcUrl } from "./stack/service-connections.ts";

export { purgeVariables } from "./purge/edge.ts";

/** Schemas of the environment variables of `start` itself, without those of its parts, by their names. */
export const startVariables = variablesIn([zDataDirectory, zIngest]);

/** Schemas that locate a stack for commands. */
const stackSchemas = [
  zDataDirectory,
  ...serviceNames.map((name) => z.object({ address: zGrpcUrl(name) })),
];

/** Those of `ingest`. */
export const ingestVariables = variablesIn([...ingestSchemas, ...stackSchemas]);

/** Those of the other commands. */
export const cliVariables = variablesIn([
  ...stackSchemas,
  z.object(clientTlsShape),
  zIngest.pick({ tokens: true }),
]);
