import { unavailable } from "../errors/public-error.ts";
import type { Endpoint, EndpointResponse } from "./endpoint.ts";

/**
 * The OpenAPI document, which stays the same while the process runs.
 *
 * @param publicUrl where its operations are: scheme, host and port; default: where the document itself is
 */
export function documentEndpoint(document: object, publicUrl = "/"): Endpoint {
  const path = "/openapi.json";
  const served = { ...document, servers: [{ url: publicUrl }] };
  const response = { status: 200, body: Buffer.from(JSON.stringify(served)) };
  return {
    method: "GET",
    operation: "openapi",
    path,
    storable: true,
    // Gateways that share a cache may have different addresses.
    ask: () => ({ key: `${path} ${publicUrl}`, respond: () => Promise.resolve(response) }),
  };
}

/**
 * Probes of this process alone: `/livez` is 200 while it serves, `/readyz` 503 once it drains. The services behind it
 * are in `/health`; their outages are no reason to stop it.
 */
export function probeEndpoints(isDraining: () => boolean): Endpoint[] {
  const ok: EndpointResponse = { status: 200, body: JSON.stringify({ status: "ok" }) };
  const probe = (path: string, respond: () => EndpointResponse): Endpoint => ({
    method: "GET",
    operation: path.slice(1),
    path,
    ask: () => ({ respond }),
  });
  return [
    probe("/livez", () => ok),
    probe("/readyz", () => {
      if (isDraining()) throw unavailable("The gateway is shutting down.");
      return ok;
    }),
  ];
}
