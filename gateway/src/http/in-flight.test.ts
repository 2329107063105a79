import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Exchange } from "./exchange.ts";
import { beginExchange } from "./http-server.ts";
import { InFlight } from "./in-flight.ts";

/** Exchanges of a real server, one for each of these paths. */
async function exchangesOf(paths: readonly string[]): Promise<Exchange[]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const exchanges: Exchange[] = [];
  server.on("request", (request, response) => {
    exchanges.push(beginExchange(request, response, "192.0.2.1", undefined));
    response.end();
  });
  for (const path of paths) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  server.closeAllConnections();
  server.close();
  return exchanges;
}

test("exchanges are in progress until they leave, in any order", async () => {
  const paths = ["/a", "/b", "/c", "/d"];
  const exchanges = await exchangesOf(paths);
  const pathsLeft = (inFlight: InFlight) => inFlight.exchanges.map(({ url }) => url).toSorted();
  for (const first of [0, 1, 2, 3]) {
    for (const step of [1, 3]) {
      const inFlight = new InFlight();
      const leaves = exchanges.map((exchange) => inFlight.enter(exchange));
      const left = new Set(paths);
      for (let turn = 0; turn < paths.length; turn++) {
        const index = (first + turn * step) % paths.length;
        leaves[index]?.();
        left.delete(paths[index] ?? "");
        expect(pathsLeft(inFlight)).toEqual([...left]);
      }
    }
  }
});
