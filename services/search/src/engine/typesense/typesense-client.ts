import { unavailable } from "@storefront/rpc";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Client, Errors } from "typesense";

/** Where a Typesense server is. */
export interface TypesenseServer {
  readonly url: string;
  readonly apiKey: string;
  /** How long an answer may take, but for imports, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
  /** How long an import may take, in milliseconds. Default 30,000. */
  readonly importTimeoutMs?: number;
}

/** The official client, and what it holds open. */
export interface TypesenseConnection {
  readonly client: Client;
  /** Sends an import, which is broken off when it takes too long. */
  readonly sendImport: <Answer>(send: (client: Client) => Promise<Answer>) => Promise<Answer>;
  readonly close: () => void;
}

/**
 * Connects to one server. The client tries once more after a network error, a timeout or a 5xx, which
 * every request here allows, and never writes to the console.
 */
export function connectTypesense(server: TypesenseServer): TypesenseConnection {
  const { importTimeoutMs = 30_000 } = server;
  const asking = createClient(server);
  // The client sets imports no limit and takes no signal: what breaks them off is the end of their sockets.
  const importing = createClient(server);
  return {
    client: asking.client,
    async sendImport(send) {
      const timer = setInterval(importing.disconnect, importTimeoutMs);
      try {
        return await send(importing.client);
      } finally {
        clearInterval(timer);
      }
    },
    close() {
      asking.disconnect();
      importing.disconnect();
    },
  };
}

function createClient({ url, apiKey, timeoutMs = 5_000 }: TypesenseServer) {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });
  const client = new Client({
    nodes: [{ url }],
    apiKey,
    connectionTimeoutSeconds: timeoutMs / 1_000,
    // 0 would be read as 3.
    numRetries: 1,
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

/** Awaits a request. @throws ServiceError UNAVAILABLE when the server cannot be reached or cannot do it now. */
export async function reach<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw isPassing(statusOf(error)) ? unavailable("typesense", error) : error;
  }
}

/** The HTTP status of an error of the client; undefined when no answer came. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined;
}

/** Whether the same request may succeed later: no answer, a refused key, no resources, lagging. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || status >= 500 || [401, 403, 408, 422, 429].includes(status);
}
