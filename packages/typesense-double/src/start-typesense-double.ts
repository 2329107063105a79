import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Faults } from "./faults/faults.ts";
import type { Failure, FaultScope, LineRefusal } from "./faults/faults.ts";
import { answerRequest } from "./http/answer-request.ts";
import { readRequest } from "./http/api-request.ts";
import type { JsonObject } from "./json.ts";
import { Store } from "./store.ts";

/** How the double is to be started. */
export interface TypesenseDoubleOptions {
  /** Default 0: any free port. */
  port?: number;
  /** The only key that is accepted. */
  apiKey: string;
}

/** A double of a Typesense server, listening on the loopback address. */
export interface TypesenseDouble {
  /** `http://127.0.0.1:port`. */
  url: string;
  apiKey: string;
  /** Requests taken so far, as `POST /multi_search`; query strings are left out. */
  requests: readonly string[];
  /** Texts embedded so far, of documents and of queries. */
  embeddedTexts: readonly string[];
  /** Answers requests with an error instead, `/health` included unless `matching` says otherwise. */
  fail(failure: Failure): void;
  /** Holds answers back, in milliseconds; what they ask for is done after the wait. */
  delay(ms: number, scope?: FaultScope): void;
  /** Refuses the lines of imports that the predicate picks; the others are written. */
  rejectImportLines(predicate: (document: JsonObject) => LineRefusal): void;
  /** Lets the server's embedding models fail; what needs no embedding goes on. */
  failEmbedding(): void;
  /** Forgets the faults above; requests that are held back go on. */
  clearFaults(): void;
  /** Breaks every connection and takes no new ones; what is stored stays. */
  goAway(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  /** Stops for good. */
  close(): Promise<void>;
}

/**
 * Starts a double of Typesense's HTTP API as of server 30, for tests: in memory, slow and simple.
 *
 * Left out: geo, joins, nested objects, synonyms, curation, stop words, presets, analytics,
 * conversations, keys other than one, models by which the server embeds but for a simple one, `union` searches, stemming, infix
 * search, and traditional Chinese read as simplified.
 */
export async function startTypesenseDouble(
  options: TypesenseDoubleOptions,
): Promise<TypesenseDouble> {
  const { apiKey } = options;
  const faults = new Faults();
  const store = new Store();
  const { model } = store;
  const parts = { store, faults, apiKey };
  const requests: string[] = [];

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const target = `${request.method} ${request.path}`;
    requests.push(target);
    await faults.hold(target);
    const failure = faults.failure(target);
    const { status, body } =
      failure === undefined
        ? answerRequest(parts, request)
        : {
            status: failure.status,
            body: request.path === "/health" ? { ok: false } : { message: failure.message },
          };
    const isText = typeof body === "string";
    response.writeHead(status, {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    });
    response.end(isText ? body : JSON.stringify(body));
  };
  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      // A request that broke off has nobody to answer; anything else is a bug of the double.
      if (response.destroyed) return;
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: String(error) }));
    });
  });

  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The double has no port.");
    return address.port;
  };
  const goAway = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };

  const port = await listen(options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    requests,
    embeddedTexts: model.texts,
    fail: (failure) => faults.fail(failure),
    delay: (ms, scope = {}) => faults.delay(ms, scope),
    rejectImportLines: (predicate) => faults.rejectImportLines(predicate),
    failEmbedding: () => {
      model.isFailing = true;
    },
    clearFaults: () => {
      model.isFailing = false;
      faults.clear();
    },
    goAway,
    comeBack: async () => {
      if (!server.listening) await listen(port);
    },
    close: async () => {
      await goAway();
      faults.clear();
    },
  };
}
