import { ServiceError, unavailable } from "@storefront/rpc";
import { inSpan } from "@storefront/process";
import { createHmac } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Client, Errors } from "typesense";
import type { SearchResponse } from "typesense";

export interface TypesenseServer {
  /** Of its nodes, all of one cluster. */
  readonly urls: readonly string[];
  /** For everything but searches. */
  readonly apiKey: string;
  /** For searches; default one that is made with `apiKey`, or `apiKey` while that cannot be made. */
  readonly searchApiKey?: string | undefined;
  /**
   * How long a try may take, in milliseconds, but for imports, changes of collections, and queries that
   * the server embeds. Default 1,000: the gateway waits 5,000.
   */
  readonly timeoutMs?: number;
  /** How long all imports of one write may take, in milliseconds; default 60,000. */
  readonly writeTimeoutMs?: number;
}

/** A collection is made at once, unless the server fetches an embedding model for it. */
const changeTimeoutMs = 120_000;

/** For queries that the server embeds, of its own or by an endpoint. */
const embeddingTimeoutMs = 2_000;

/** Between looks at whether an import has to be broken off. */
const lookMs = 50;

/** Makes several searches in one request, in the server's own words; resolves with a response for each. */
export type MultiSearch = (
  searches: readonly Readonly<Record<string, string | number | boolean | undefined>>[],
) => Promise<readonly SearchResponse<Record<string, unknown>>[]>;

/** The official client, and what it holds open. */
export interface TypesenseConnection {
  readonly client: Client;
  /** Searches with a key that cannot write. */
  readonly multiSearch: MultiSearch;
  /** The same for queries that the server embeds. */
  readonly embeddingSearch: MultiSearch;
  /** The client for changes of collections: it waits for 2 minutes. */
  readonly patientClient: Client;
  /** Sends an import with a client of its own, which the signal disconnects. */
  readonly sendImport: <Result>(
    send: (client: Client) => Promise<Result>,
    signal: AbortSignal,
  ) => Promise<Result>;
  readonly close: () => void;
}

/**
 * Connects to the nodes of one server. After a network error, a timeout or a 5xx the client tries the next node, which
 * every request here allows. It never writes to the console.
 *
 * @param prefix of the collections that are searched
 */
export function connectTypesense(server: TypesenseServer, prefix: string): TypesenseConnection {
  const { timeoutMs = 1_000, searchApiKey } = server;
  const { client, disconnect } = createClient(server, timeoutMs);
  const patient = createClient(server, changeTimeoutMs);
  const key = new SearchKey(client, server.apiKey, prefix);
  const searching = (searchTimeoutMs: number) => {
    const apiKey = searchApiKey ?? key.value;
    const own = createClient({ ...server, apiKey }, searchTimeoutMs);
    const multiSearch: MultiSearch = async (searches) => {
      const searchBy = async ({ multiSearch: asked }: Client) =>
        (await asked.perform<Record<string, unknown>[]>({ searches: [...searches] })).results;
      if (searchApiKey === undefined && !key.isUsable) return await searchBy(client);
      try {
        return await searchBy(own.client);
      } catch (error) {
        if (searchApiKey !== undefined || statusOf(error) !== 401) throw error;
        // A node that is behind the others does not know it either.
        await key.make();
        return await searchBy(client);
      }
    };
    return { multiSearch, disconnect: own.disconnect };
  };
  const asking = searching(timeoutMs);
  const embedding = searching(Math.max(timeoutMs, embeddingTimeoutMs));
  let nodes = server.urls;
  return {
    client,
    multiSearch: asking.multiSearch,
    embeddingSearch: embedding.multiSearch,
    patientClient: patient.client,
    async sendImport(send, signal) {
      // The client neither limits the time of an import nor takes a signal: only the end of its sockets ends one.
      const importing = createClient({ ...server, urls: nodes }, changeTimeoutMs);
      // The client retries on a new connection.
      const looking = setInterval(() => {
        if (signal.aborted) importing.disconnect();
      }, lookMs);
      try {
        return await send(importing.client);
      } catch (error) {
        // A node that does not respond would be the first of each new client.
        nodes = [...nodes.slice(1), ...nodes.slice(0, 1)];
        throw error;
      } finally {
        clearInterval(looking);
        importing.disconnect();
      }
    },
    close() {
      for (const { disconnect: end } of [{ disconnect }, patient, asking, embedding]) end();
    },
  };
}

/** How long no search uses a key that the server refused to make, and one that could not be made, in milliseconds. */
const refusedMs = 60_000;
const failedMs = 1_000;

/** A key that can only search the collections of a prefix. Every process with the same `apiKey` has the same one. */
class SearchKey {
  readonly value: string;
  readonly #create: () => Promise<unknown>;
  #making: Promise<void> | undefined;
  #unusableUntilMs = 0;

  constructor(client: Client, apiKey: string, prefix: string) {
    const value = createHmac("sha256", apiKey).update(`search ${prefix}`).digest("base64url");
    const collections = [`${prefix}_(offers|entries)_[0-9]+`];
    const schema = { description: "Searches", actions: ["documents:search"], collections, value };
    this.value = value;
    this.#create = () => reach("keys", () => client.keys().create(schema));
  }

  get isUsable(): boolean {
    return performance.now() >= this.#unusableUntilMs;
  }

  /** Makes it where it is missing. Never rejects: searches do without it while it cannot be made. */
  async make(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = undefined));
    await this.#making;
  }

  async #make(): Promise<void> {
    try {
      await this.#create();
    } catch (error) {
      // Conflict: it is there.
      if (statusOf(error) === 409) return;
      const isRefused = error instanceof ServiceError && statusOf(error.cause) === 401;
      this.#unusableUntilMs = performance.now() + (isRefused ? refusedMs : failedMs);
    }
  }
}

function createClient({ urls, apiKey }: TypesenseServer, timeoutMs: number) {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });
  const client = new Client({
    nodes: urls.map((url) => ({ url })),
    apiKey,
    connectionTimeoutSeconds: timeoutMs / 1_000,
    // Each node is tried, a single one twice. 0 would be read as 3.
    numRetries: Math.max(1, urls.length - 1),
    logLevel: "silent",
    httpAgent,
    httpsAgent,
  });
  const disconnect = () => {
    httpAgent.destroy();
    httpsAgent.destroy();
  };
  return { client, disconnect };
}

/**
 * Makes a request.
 *
 * @param operation what traces call it: the path of the server's API, without names of collections
 * @throws ServiceError UNAVAILABLE when the server cannot be reached or cannot do it now.
 */
export async function reach<Result>(
  operation: string,
  request: () => Promise<Result>,
): Promise<Result> {
  const span = () => ({
    kind: "client" as const,
    attributes: { "db.system.name": "typesense", "db.operation.name": operation },
  });
  try {
    return await inSpan(`typesense ${operation}`, request, span);
  } catch (error) {
    throw isPassing(statusOf(error)) ? unavailable("typesense", error) : error;
  }
}

/** The HTTP status of an error of the client; undefined when no response came. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined;
}

/** For `catch`: what is not there is undefined. */
export function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** Whether the same request may succeed later: no response, a refused key, no resources, lagging. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || status >= 500 || [401, 403, 408, 422, 429].includes(status);
}
