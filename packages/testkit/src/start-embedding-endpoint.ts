import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { text as readText } from "node:stream/consumers";

/** How an endpoint responds: correctly, not at all, with status 500, or with vectors of another length. */
export type EndpointMood = "well" | "never" | "failing" | "short";

/** A `/v1/embeddings` endpoint whose vectors distinguish texts with "near" from others. */
export interface EmbeddingEndpoint {
  readonly url: string;
  mood: EndpointMood;
  /** A request that has a text with this word is rejected with status 400. */
  poison: string | undefined;
  /** Bodies of the requests so far. */
  readonly requests: { readonly model: string; readonly input: readonly string[] }[];
  readonly authorizations: (string | undefined)[];
  close(): Promise<void>;
}

/**
 * Starts an endpoint whose vectors have four dimensions and are not of unit length. It speaks HTTP/1.1, and
 * HTTP/2 with prior knowledge, as Typesense does.
 */
export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  /** Undefined: no response is sent. */
  const respond = (text: string, authorization: string | undefined, isInOrder: boolean) => {
    const body = JSON.parse(text) as { model: string; input: string | string[] };
    const input = [body.input].flat();
    endpoint.requests.push({ model: body.model, input });
    endpoint.authorizations.push(authorization);
    const { mood, poison } = endpoint;
    if (mood === "never") return undefined;
    if (mood === "failing") return { status: 500, body: "{}" };
    if (poison !== undefined && input.some((each) => each.includes(poison))) {
      return { status: 400, body: "{}" };
    }
    const data = input.map((each, index) => {
      const vector = each.toLowerCase().includes("near") ? [3, 0, 0, 4] : [0, 2, 2, 0];
      return { index, embedding: mood === "short" ? vector.slice(1) : vector };
    });
    // The order of a response is not guaranteed; Typesense relies on it.
    if (!isInOrder) data.reverse();
    return { status: 200, body: JSON.stringify({ object: "list", data }) };
  };
  const headers = { "content-type": "application/json" };
  const http = createHttpServer((request, response) => {
    void (async () => {
      const result = respond(await readText(request), request.headers.authorization, false);
      if (result) response.writeHead(result.status, headers).end(result.body);
    })();
  });
  const http2 = createHttp2Server((request, response) => {
    void (async () => {
      const result = respond(await readText(request), request.headers.authorization, true);
      if (result) response.writeHead(result.status, headers).end(result.body);
    })();
  });
  const [httpPort, http2Port] = [await listen(http), await listen(http2)];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer((outside) => {
    track(outside).once("data", (first: Buffer) => {
      const isHttp2 = first.subarray(0, 3).toString("latin1") === "PRI";
      const inside = track(connect(isHttp2 ? http2Port : httpPort, "127.0.0.1"));
      inside.write(first);
      outside.pipe(inside).pipe(outside);
    });
  });
  const port = await listen(server);
  const endpoint: EmbeddingEndpoint = {
    url: `http://127.0.0.1:${port}`,
    mood: "well",
    poison: undefined,
    requests: [],
    authorizations: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const each of [server, http, http2]) {
        const closed = once(each, "close");
        each.close();
        await closed;
      }
    },
  };
  return endpoint;
}

/** Listens on a free port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
