import type { Endpoint } from "./endpoint.ts";

/** A JSON document that stays the same while the process runs. */
export function documentEndpoint(path: string, document: object): Endpoint {
  const answer = { status: 200, body: Buffer.from(JSON.stringify(document)) };
  return {
    method: "GET",
    operation: "openapi",
    path,
    storable: true,
    takesCountry: false,
    ask: () => Promise.resolve(() => Promise.resolve(answer)),
    question: () => Promise.resolve({ key: path, answer: () => Promise.resolve(answer) }),
  };
}
