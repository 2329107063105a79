import { createClient } from "@connectrpc/connect";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { createGrpcTransport } from "@storefront/rpc";
import { once } from "node:events";
import { connect } from "node:net";
import type { AlertWatch } from "./alert-watch.ts";
import type { Heal } from "./hold-locks.ts";
import { ask, calmOffer, keepAsking } from "./keep-asking.ts";
import { apiKey, streamsMax } from "./start-watched-stack.ts";
import type { WatchedStack } from "./start-watched-stack.ts";
import type { OfferWriter } from "./write-offers.ts";

/** Clients that send too many requests: without a key, for another offer each time, and for all streams. */
export function askTooMuch({ gatewayUrl }: WatchedStack, writer: OfferWriter): Heal {
  const leaving = new AbortController();
  const init = { signal: leaving.signal, headers: { "x-api-key": apiKey } };
  const streams = Array.from({ length: streamsMax + 2 }, () =>
    ask(`${gatewayUrl}/changelist/stream`, init).catch(() => undefined),
  );
  const clients = [
    keepAsking(50, () => ask(`${gatewayUrl}/offers/${calmOffer}`, { headers: {} })),
    keepAsking(33, (number) => ask(`${gatewayUrl}/offers/crawled-${number}`)),
    keepAsking(500, () => writer.writeNothing()),
  ];
  return async () => {
    leaving.abort();
    await Promise.all([...clients.map((client) => client.stop()), ...streams]);
  };
}

/** Clients of pricing over gRPC, and of prices through the gateway, which has offers but no cached responses for them. */
export function askPricing({ grpcAddress, gatewayUrl }: WatchedStack, writer: OfferWriter): Heal {
  const transport = createGrpcTransport({ address: grpcAddress("pricing") });
  const client = createClient(PricingService, transport);
  const clients = [
    keepAsking(200, (number) =>
      client.getPrice({ offerId: `unknown-${number}`, region: "US" }, { timeoutMs: 5000 }),
    ),
    keepAsking(500, async (number) => {
      await writer.write(`unpriced-${number}`);
      await ask(`${gatewayUrl}/offers/unpriced-${number}/price`);
    }),
  ];
  return async () => {
    await Promise.all(clients.map((each) => each.stop()));
    await transport.close();
  };
}

/** Clients that connect to reviews without a request, until nine tenths of its file descriptors are in use. */
export async function connectIdly(stack: WatchedStack, watch: AlertWatch): Promise<Heal> {
  const { hostname, port } = new URL(`http://${stack.grpcAddress("reviews")}`);
  const [open = 0] = await watch.values('process_open_fds{service="reviews"}');
  const [most = 0] = await watch.values('process_max_fds{service="reviews"}');
  const sockets = Array.from({ length: Math.floor(most * 0.9 - open) }, () =>
    connect(Number(port), hostname),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return () => {
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  };
}
