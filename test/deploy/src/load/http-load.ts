import { Agent, request as httpRequest } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { together, repeat } from "./background.ts";
import type { Background } from "./background.ts";
import { clusterAddress } from "./cluster-address.ts";
import type { Tally } from "./tally.ts";

/** A read that gets 200, or 503 while a database restarts. */
export interface ReadRequest {
  path: string;
  /** JSON; makes it a POST. */
  body?: string;
}

/** Clients, their rate and their connections. */
export interface HttpLoadOptions {
  host: string;
  port: number;
  /** Sent in turn, by each client from another offset on. */
  requests: readonly ReadRequest[];
  clients: number;
  /** Between a response and the client's next request. */
  pauseMs: number;
  /** A connection for each request, or one for each client that stays open as long as the server lets it. */
  connections: "new" | "persistent";
  tally: Tally;
}

// Longer than the gateway gives a request here.
const timeoutMs = 40_000;

/**
 * Clients of the gateway, each with one connection. They retry nothing: a request without a whole response has failed.
 */
export function startHttpLoad(options: HttpLoadOptions): Background {
  const { requests, clients, pauseMs, connections } = options;
  return together(
    Array.from({ length: clients }, (_, client) => {
      const offset = Math.floor((client * requests.length) / clients);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sending = repeat(pauseMs, async (round) => {
        const request = requests[(offset + round) % requests.length];
        if (request === undefined) return;
        await send(request, connections === "persistent" && agent, options);
      });
      return {
        async stop() {
          await sending.stop();
          agent.destroy();
        },
      };
    }),
  );
}

async function send(
  { path, body }: ReadRequest,
  agent: Agent | false,
  { host, port, tally }: HttpLoadOptions,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const { status, text, degraded } = await responseTo({ host, port, path, body, agent });
    if (status === 200) {
      JSON.parse(text);
      tally.succeed();
      if (degraded) tally.degraded += 1;
    } else if (status === 503) tally.beUnavailable(`${path}: ${text.slice(0, 300)}`);
    else tally.fail(`${path}: ${status} ${text.slice(0, 300)}`);
  } catch (error) {
    const tookMs = Math.round(performance.now() - startedAt);
    tally.fail(`${path}: ${String(error)} after ${tookMs} ms`);
  }
}

function responseTo(sent: {
  host: string;
  port: number;
  path: string;
  body: string | undefined;
  agent: Agent | false;
}): Promise<{ status: number | undefined; text: string; degraded: boolean }> {
  const { host, port, path, body, agent } = sent;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: clusterAddress(host),
      port,
      path,
      agent,
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.once("response", (response) => {
      const degraded = response.headers["catalog-degraded"] !== undefined;
      const { statusCode: status } = response;
      resolve(textOf(response).then((text) => ({ status, text, degraded })));
    });
    request.once("error", (error) => {
      const where = request.reusedSocket ? "on a reused connection: " : "";
      reject(new Error(`${where}${error.message}`, { cause: error }));
    });
    request.end(body);
  });
}
