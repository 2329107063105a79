import { unavailable } from "@storefront/rpc";
import { inSpan } from "@storefront/telemetry";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Client, Errors } from "typesense";

/** A server that takes fewer than 100 lines in a second is too slow to wait for. */
const lineMs = 10;

/**
 * When a write has to be over. One write is one transaction of the feeds, and may be of ten lines or of
 * ten thousand: every line that is sent adds its share.
 */
export class WriteDeadline {
  #endsAtMs: number;

  /** @param timeoutMs for the write as such, in milliseconds */
  constructor(timeoutMs: number) {
    this.#endsAtMs = performance.now() + timeoutMs;
  }

  /** Adds the share of lines that are about to be sent. */
  allow(lines: number): void {
    this.#endsAtMs += lines * lineMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }
}

/** Where a Typesense server is. */
export interface TypesenseServer {
  readonly url: string;
  readonly apiKey: string;
  /**
   * How long a try may take, in milliseconds, but for imports, changes of collections, and queries that
   * the server embeds. Default 1,000: the gateway waits 5,000, and both it and the client try twice.
   */
  readonly timeoutMs?: number;
  /**
   * How long the imports of one write may take together, in milliseconds and beside 10 for each line.
   * Default 8,000. A transaction of the database is open meanwhile.
   */
  readonly writeTimeoutMs?: number;
}

/** A collection is made at once, unless the server fetches an embedding model for it. */
const changeTimeoutMs = 120_000;

/** For queries that the server embeds, of its own or by an endpoint. */
const embeddingTimeoutMs = 2_000;

/** Between looks at whether an import has to be broken off. */
const lookMs = 50;

/** The official client, and what it holds open. */
export interface TypesenseConnection {
  readonly client: Client;
  /** The client for queries that the server embeds. */
  readonly embeddingClient: Client;
  /** The client for what may take long: it waits for 2 minutes, and for imports as long as they take. */
  readonly patientClient: Client;
  /** Sends an import, which is broken off when its time is over. */
  readonly sendImport: <Answer>(
    send: (client: Client) => Promise<Answer>,
    deadline: WriteDeadline,
  ) => Promise<Answer>;
  readonly close: () => void;
}

/**
 * Connects to one server. The client tries once more after a network error, a timeout or a 5xx, which
 * every request here allows, and never writes to the console.
 */
export function connectTypesense(server: TypesenseServer): TypesenseConnection {
  const { timeoutMs = 1_000 } = server;
  const asking = createClient(server, timeoutMs);
  const embedding = createClient(server, Math.max(timeoutMs, embeddingTimeoutMs));
  // The client sets imports no limit and takes no signal: what breaks them off is the end of their sockets.
  const patient = createClient(server, changeTimeoutMs);
  return {
    client: asking.client,
    embeddingClient: embedding.client,
    patientClient: patient.client,
    async sendImport(send, deadline) {
      if (deadline.isOver) throw unavailable("typesense", new Error("the write takes too long"));
      const looking = setInterval(() => {
        if (deadline.isOver) patient.disconnect();
      }, lookMs);
      try {
        return await send(patient.client);
      } finally {
        clearInterval(looking);
      }
    },
    close() {
      asking.disconnect();
      embedding.disconnect();
      patient.disconnect();
    },
  };
}

function createClient({ url, apiKey }: TypesenseServer, timeoutMs: number) {
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

/**
 * Makes a request.
 *
 * @param operation what traces call it: the path of the server's API, without names of collections
 * @throws ServiceError UNAVAILABLE when the server cannot be reached or cannot do it now.
 */
export async function reach<Answer>(
  operation: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
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

/** The HTTP status of an error of the client; undefined when no answer came. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined;
}

/** For `catch`: what is not there is undefined. */
export function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** Whether the same request may succeed later: no answer, a refused key, no resources, lagging. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || status >= 500 || [401, 403, 408, 422, 429].includes(status);
}
