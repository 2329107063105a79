import { unavailable } from "../errors/public-error.ts";
import type { WholeResponse, Endpoint } from "./endpoint.ts";

/**
 * What a supervisor asks of this process alone: `/livez` is 200 while it serves, `/readyz` 503 once it
 * drains. How the services behind it are doing is told by `/health`, and no reason to stop it.
 */
export function probeEndpoints(isDraining: () => boolean): Endpoint[] {
  const fine: WholeResponse = { status: 200, body: JSON.stringify({ status: "ok" }) };
  const probe = (path: string, answer: () => WholeResponse): Endpoint => ({
    method: "GET",
    operation: path.slice(1),
    path,
    storable: false,
    takesCountry: false,
    ask: () => Promise.resolve(() => Promise.try(answer)),
  });
  return [
    probe("/livez", () => fine),
    probe("/readyz", () => {
      if (isDraining()) throw unavailable("The gateway is closing.");
      return fine;
    }),
  ];
}
