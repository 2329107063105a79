// Loads one server with unary gets. Arguments: transport (`ours` or `connect-node-grpc`), base URL,
// calls in progress at once, seconds per round. Each message starts a round and gets its result.
import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import { askInTurn } from "../ask-in-turn.ts";

const [kind, baseUrl = "", concurrency, roundSeconds] = process.argv.slice(2);
const client = createClient(CatalogService, createNamedTransport());

function createNamedTransport(): Transport {
  switch (kind) {
    case "ours":
      return createTransport({ baseUrl });
    case "connect-node-grpc":
      return createGrpcTransport({ baseUrl });
    default:
      throw new Error(`unknown transport ${kind}`);
  }
}

async function get(): Promise<void> {
  const { offer } = await client.getOffer({ offerId: "0030779b6d8f4c1c9f5e2f0a" });
  if (offer?.namespace !== "calluna") throw new Error("wrong response");
}

process.on("message", () => {
  void askInTurn(get, Number(concurrency), Number(roundSeconds)).then((result) =>
    process.send?.(result),
  );
});
process.send?.({ ready: true });
