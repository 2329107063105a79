// The peer: the same response by connect-node's own server over HTTP/2.
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { sampleOffer } from "../src/sample-offer.ts";

const stored = sampleOffer();
const handler = connectNodeAdapter({
  routes: (router) => router.service(CatalogService, { getOffer: async () => stored }),
});
const server = createServer(handler);
server.listen({ port: 0, host: "127.0.0.1" }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
