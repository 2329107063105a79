import { Agent, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { together, repeat } from "./background.ts";
import type { Background } from "./background.ts";
import { clusterAddress } from "./cluster-address.ts";
import type { Tally } from "./tally.ts";

/** A request that gets 200, or 503 while a database restarts. */
export interface Question {
  path: string;
  /** JSON; makes it a POST. */
  body?: string;
}

/** Who asks, how often, and over which connections. */
export interface HttpLoadOptions {
  host: string;
  port: number;
  /** Asked in turn, by each client from another place on. */
  questions: readonly Question[];
  clients: number;
  /** Between a response and the client's next request. */
  pauseMs: number;
  /** A connection for each request, or one for each client that is kept as long as the server lets it. */
  connections: "new" | "kept";
  tally: Tally;
}

// Longer than the gateway gives a request here.
const timeoutMs = 40_000;

/**
 * Clients of the gateway, each with one connection. They try nothing twice: a request that gets no
 * whole response has failed.
 */
export function startHttpLoad(options: HttpLoadOptions): Background {
  const { questions, clients, pauseMs, connections } = options;
  return together(
    Array.from({ length: clients }, (_, client) => {
      const offset = Math.floor((client * questions.length) / clients);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const asking = repeat(pauseMs, async (round) => {
        const question = questions[(offset + round) % questions.length];
        if (question === undefined) return;
        await ask(question, connections === "kept" && agent, options);
      });
      return {
        async stop() {
          await asking.stop();
          agent.destroy();
        },
      };
    }),
  );
}

async function ask(
  { path, body }: Question,
  agent: Agent | false,
  { host, port, tally }: HttpLoadOptions,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const { status, answer, degraded } = await answerTo({ host, port, path, body, agent });
    if (status === 200) {
      JSON.parse(answer);
      tally.succeed();
      if (degraded) tally.degraded += 1;
    } else if (status === 503) tally.beUnavailable(`${path}: ${answer.slice(0, 300)}`);
    else tally.fail(`${path}: ${status} ${answer.slice(0, 300)}`);
  } catch (error) {
    const tookMs = Math.round(performance.now() - startedAt);
    tally.fail(`${path}: ${String(error)} after ${tookMs} ms`);
  }
}

function answerTo(asked: {
  host: string;
  port: number;
  path: string;
  body: string | undefined;
  agent: Agent | false;
}): Promise<{ status: number | undefined; answer: string; degraded: boolean }> {
  const { host, port, path, body, agent } = asked;
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
      const answered = text(response).then((answer) => ({
        status: response.statusCode,
        answer,
        degraded,
      }));
      resolve(answered);
    });
    request.once("error", (error) => {
      const kept = request.reusedSocket ? "on a kept connection: " : "";
      reject(new Error(`${kept}${error.message}`, { cause: error }));
    });
    request.end(body);
  });
}
