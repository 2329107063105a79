import { clientTlsShape, serviceNames, variablesIn } from "@storefront/process";
import { z } from "zod";
import { zDataDirectory } from "./command.ts";
import { zGrpcUrl } from "./stack/service-connections.ts";

export { purgeVariables } from "./purge/edge.ts";

/** Schemas of the environment variables of `start` that none of its parts has, by their names. */
export const startVariables = variablesIn([zDataDirectory]);

/** Those of the other commands. */
export const cliVariables = variablesIn([
  zDataDirectory,
  ...serviceNames.map((name) => z.object({ address: zGrpcUrl(name) })),
  z.object(clientTlsShape),
]);
