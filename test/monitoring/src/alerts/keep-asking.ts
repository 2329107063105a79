import { apiKey } from "./start-watched-stack.ts";

/** Id of an offer that is not written while the drill lasts, so that its response stays cached. */
export const calmOffer = "calm";

/** A client that goes on. */
export interface Asking {
  /** Asks no more, and waits for what it has asked. */
  stop(): Promise<void>;
}

/** Calls `askOne` with 0, 1, 2 … at this interval, whether earlier calls have ended or failed. */
export function keepAsking(
  intervalMs: number,
  askOne: (number: number) => Promise<unknown>,
): Asking {
  const open = new Set<Promise<unknown>>();
  let number = 0;
  const timer = setInterval(() => {
    // A process that is killed or stopped responds to none.
    const call = askOne(number++).catch(() => undefined);
    open.add(call);
    void call.then(() => open.delete(call));
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

/** Asks the gateway, as a client with an unlimited key unless `headers` say otherwise. */
export async function ask(
  url: string,
  { headers = { "x-api-key": apiKey }, ...init }: RequestInit = {},
): Promise<number> {
  const response = await fetch(url, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

/** Ten requests a second, of a cached response and of some that are not cached, of each service. */
export function askOfEverything(gatewayUrl: string): Asking {
  return keepAsking(100, async (number) => {
    const kinds = [
      () => ask(`${gatewayUrl}/offers/${calmOffer}`),
      () => ask(`${gatewayUrl}/offers/unknown-${number}`),
      () => ask(`${gatewayUrl}/offers/unknown-${number}/price`),
      () => ask(`${gatewayUrl}/offers/unknown-${number}/reviews`),
      () => search(gatewayUrl, `unknown ${number}`),
    ];
    await kinds[number % kinds.length]?.();
  });
}

/** Status of a search. */
export async function search(gatewayUrl: string, title: string): Promise<number> {
  return await ask(`${gatewayUrl}/search/v2/search`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify({ title }),
  });
}
