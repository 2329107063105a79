import { ServiceError, unavailable } from "@storefront/rpc";
import { inSpan } from "@storefront/process";
import { createHmac } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Client, Errors } from "typesense";
import type { SearchResponse } from "typesense";

export interface TypesenseServer {
  /** Nodes of one cluster. */
  readonly urls: readonly string[];
  /** For everything except searches. */
  readonly apiKey: string;
  /** For searches; default: one created with `apiKey`, or `apiKey` while that is impossible. */
  readonly searchApiKey?: string | undefined;
  /**
   * Timeout of a try in milliseconds, except imports, changes of collections, and queries that the server embeds.
   * Default 1,000: the gateway waits 5,000.
   */
  readonly timeoutMs?: number;
  /** Timeout of all imports of a write, in milliseconds; default 60,000. */
  readonly writeTimeoutMs?: number;
}

/** Creating a collection is fast unless the server downloads an embedding model. */
const changeTimeoutMs = 120_000;

/** For queries that the server embeds. */
const embeddingTimeoutMs = 2_000;

/** Interval of checks of an import's signal. */
const lookMs = 50;

/** Sends several searches in one request, with the server's parameters; resolves with a response for each. */
export type MultiSearch = (
  searches: readonly Readonly<Record<string, string | number | boolean | undefined>>[],
) => Promise<readonly SearchResponse<Record<string, unknown>>[]>;

/** The official client and its open connections. */
export interface TypesenseConnection {
  readonly client: Client;
  /** Searches with a key that cannot write. */
  readonly multiSearch: MultiSearch;
  /** The same for queries that the server embeds. */
  readonly embeddingSearch: MultiSearch;
  /** A client for changes of collections, with a timeout of 2 minutes. */
  readonly patientClient: Client;
  /** Sends an import with its own client, which the signal disconnects. */
  readonly sendImport: <Result>(
    send: (client: Client) => Promise<Result>,
    signal: AbortSignal,
  ) => Promise<Result>;
  readonly close: () => void;
}

/**
 * Connects to the nodes of a server. After a network error, a timeout or a 5xx the client tries the next node; every
 * request here is safe to repeat. It never writes to the console.
 *
 * @param prefix of the searched collections
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
      const searchBy = async ({ multiSearch: requester }: Client) =>
        (await requester.perform<Record<string, unknown>[]>({ searches: [...searches] })).results;
      if (searchApiKey === undefined && !key.isUsable) return await searchBy(client);
      try {
        return await searchBy(own.client);
      } catch (error) {
        if (searchApiKey !== undefined || statusOf(error) !== 401) throw error;
        // A node that lags behind does not know a new key either.
        await key.make();
        return await searchBy(client);
      }
    };
    return { multiSearch, disconnect: own.disconnect };
  };
  const plain = searching(timeoutMs);
  const embedding = searching(Math.max(timeoutMs, embeddingTimeoutMs));
  let nodes = server.urls;
  return {
    client,
    multiSearch: plain.multiSearch,
    embeddingSearch: embedding.multiSearch,
    patientClient: patient.client,
    async sendImport(send, signal) {
      // The client has neither a timeout nor a signal for imports: only closing its sockets ends one.
      const importing = createClient({ ...server, urls: nodes }, changeTimeoutMs);
      // Repeated, since the client retries on a new connection.
      const looking = setInterval(() => {
        if (signal.aborted) importing.disconnect();
      }, lookMs);
      try {
        return await send(importing.client);
      } catch (error) {
        // Otherwise each new client would first try the unresponsive node.
        nodes = [...nodes.slice(1), ...nodes.slice(0, 1)];
        throw error;
      } finally {
        clearInterval(looking);
        importing.disconnect();
      }
    },
    close() {
      for (const { disconnect: end } of [{ disconnect }, patient, plain, embedding]) end();
    },
  };
}

/** Time without a search key after the server refused to create it, or creation failed, in milliseconds. */
const refusedMs = 60_000;
const failedMs = 1_000;

/** A key for searches of a prefix's collections, derived from `apiKey`, so that all processes share it. */
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

  /** Creates the key if missing. Never rejects: searches use `apiKey` while creation fails. */
  async make(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = undefined));
    await this.#making;
  }

  async #make(): Promise<void> {
    try {
      await this.#create();
    } catch (error) {
      // Conflict: it exists.
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
    // Tries each node, a single one twice. 0 would be read as 3.
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
 * Sends a request.
 *
 * @param operation name in traces: the path of the server's API, without collections
 * @throws ServiceError UNAVAILABLE when the server is unreachable or temporarily fails.
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
    throw isTransient(statusOf(error)) ? unavailable("typesense", error) : error;
  }
}

/** The HTTP status of a client error; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined;
}

/** For `catch`: undefined for a missing resource. */
export function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** Whether a retry may succeed: no response, a refused key, no resources, lagging. */
export function isTransient(status: number | undefined): boolean {
  return status === undefined || status >= 500 || [401, 403, 408, 422, 429].includes(status);
}
