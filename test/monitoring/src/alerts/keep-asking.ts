import { apiKey } from "./start-watched-stack.ts";

/** Id of an offer that is not written during the drill, so that its response stays cached. */
export const calmOffer = "calm";

/** A client that keeps sending requests. */
export interface Asking {
  /** Sends no more requests, and waits for those in progress. */
  stop(): Promise<void>;
}

/** Calls `askOne` with 0, 1, 2 … at this interval, whether or not earlier calls have ended. */
export function keepAsking(
  intervalMs: number,
  askOne: (number: number) => Promise<unknown>,
): Asking {
  const open = new Set<Promise<unknown>>();
  let number = 0;
  const timer = setInterval(() => {
    // A killed or stopped process does not respond.
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

/** Sends a request to the gateway, with an unlimited key unless `headers` say otherwise. */
export async function ask(
  url: string,
  { headers = { "x-api-key": apiKey }, ...init }: RequestInit = {},
): Promise<number> {
  const response = await fetch(url, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

/** Ten requests a second, for a cached response and for uncached ones of each service. */
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
