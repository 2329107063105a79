import type { Endpoint } from "./endpoint.ts";

const path = "/openapi.json";

/**
 * The OpenAPI document, which stays the same while the process runs.
 *
 * @param publicUrl where its operations are: scheme, host and port; default: where the document itself is
 */
export function documentEndpoint(document: object, publicUrl = "/"): Endpoint {
  const served = { ...document, servers: [{ url: publicUrl }] };
  const answer = { status: 200, body: Buffer.from(JSON.stringify(served)) };
  return {
    method: "GET",
    operation: "openapi",
    path,
    storable: true,
    takesCountry: false,
    ask: () => Promise.resolve(() => Promise.resolve(answer)),
    // Gateways that share a cache may have different addresses.
    question: () =>
      Promise.resolve({ key: `${path} ${publicUrl}`, answer: () => Promise.resolve(answer) }),
  };
}
