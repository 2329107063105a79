import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "vitest";
import { createNeonPool } from "./create-neon-pool.ts";

it("closes a connection that ends before it is open", async () => {
  const relay = createServer().listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as AddressInfo;
  const { createListener, pool } = createNeonPool({
    url: "neon://user:password@database.test/storefront",
    listenUrl: "neon://user:password@database.test/storefront",
    relayUrl: `ws://127.0.0.1:${port}/`,
    applicationName: "test",
    maxConnections: 1,
    limits: { statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 },
    hasSessions: true,
    preparesStatements: true,
    queryTimeoutMs: 0,
    connectTimeoutMs: 0,
    connectionLifetimeSeconds: 0,
    onIdleError: () => undefined,
  });
  const client = createListener();
  client.on("error", () => undefined);
  const connecting = client.connect().then(
    () => "connected",
    () => "ended",
  );
  const [socket] = (await once(relay, "connection")) as [Socket];
  const closed = once(socket.resume(), "close");

  await client.end();

  await closed;
  expect(await connecting).toBe("ended");
  await pool.end();
  relay.close();
});
