import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** How an endpoint answers: as it should, not at all, with status 500, or with vectors of another length. */
export type EndpointMood = "well" | "never" | "failing" | "short";

/** A `/v1/embeddings` endpoint whose vectors tell texts with "near" from others. */
export interface EmbeddingEndpoint {
  readonly url: string;
  mood: EndpointMood;
  /** A text with this word is refused with status 400, with all others of its request. */
  poison: string | undefined;
  /** Bodies of the requests so far. */
  readonly requests: { readonly model: string; readonly input: readonly string[] }[];
  readonly authorizations: (string | undefined)[];
  close(): Promise<void>;
}

/** Starts an endpoint whose vectors have four dimensions and are not of unit length. */
export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        model: string;
        input: string[];
      };
      endpoint.requests.push(body);
      endpoint.authorizations.push(request.headers.authorization);
      const { mood, poison } = endpoint;
      if (mood === "never") return;
      if (mood === "failing") {
        response.writeHead(500).end();
      } else if (poison !== undefined && body.input.some((text) => text.includes(poison))) {
        response.writeHead(400).end("{}");
      } else {
        const data = body.input.map((text, index) => {
          const vector = text.toLowerCase().includes("near") ? [3, 0, 0, 4] : [0, 2, 2, 0];
          return { index, embedding: mood === "short" ? vector.slice(1) : vector };
        });
        // The order of an answer is not promised.
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ object: "list", data: data.toReversed() }));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint: EmbeddingEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: "well",
    poison: undefined,
    requests: [],
    authorizations: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return endpoint;
}
