import { createLogger } from "@storefront/process";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGateway } from "../src/create-gateway.ts";
import type { GatewayOptions } from "../src/gateway-options.ts";
import { ask, askRaw } from "./support/http-client.ts";
import { startServices } from "./support/start-services.ts";
import type { TestServices } from "./support/start-services.ts";

let services: TestServices;
beforeAll(async () => {
  services = await startServices();
});
afterAll(async () => await services.close());

const start = async (options: Pick<GatewayOptions, "shutdownDelayMs"> = {}) => {
  const logger = createLogger({ service: "gateway", level: "silent" });
  const gateway = createGateway({ serviceUrls: services.urls, logger, ...options });
  const { port } = await gateway.listen({ port: 0, host: "127.0.0.1" });
  return { gateway, url: `http://127.0.0.1:${port}`, port };
};

test("closing finishes the requests in progress and closes their connections", async () => {
  const { gateway, url } = await start();
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  services.interfere.set("listItems", async () => {
    arrived.resolve();
    await released.promise;
  });
  const response = ask(url, "/items", { headers: { connection: "keep-alive" } });
  await arrived.promise;
  const closed = gateway.close();
  released.resolve();
  expect((await response).status).toBe(200);
  expect((await response).headers.connection).toBe("close");
  await closed;
  await expect(ask(url, "/regions")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await gateway.close();
});

test("/livez is 200 while the process serves, /readyz 503 once it drains", async () => {
  const { gateway, url, port } = await start();
  for (const path of ["/livez", "/readyz"]) {
    const { status, headers, json } = await ask(url, path);
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(json).toEqual({ status: "ok" });
  }
  // Requests that began before still get a response.
  const late = ["/livez", "/readyz"].map((path) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    return socket;
  });
  await Promise.all(late.map((socket) => once(socket, "connect")));
  await ask(url, "/livez");
  const closed = gateway.close();
  const responses = late.map(async (socket) => {
    socket.write("\r\n");
    return await text(socket);
  });
  const [live = "", ready = ""] = await Promise.all(responses);
  expect(live).toMatch(/^HTTP\/1\.1 200 /);
  expect(ready).toMatch(/^HTTP\/1\.1 503 /);
  expect(ready).toContain('"UNAVAILABLE"');
  await closed;
});

test("in the lame-duck time new connections are served, and get 503 from /readyz", async () => {
  const { gateway, url } = await start({ shutdownDelayMs: 2000 });
  const persistent = askRaw(url, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  const closed = gateway.close();
  for (const [path, status] of [
    ["/readyz", 503] as const,
    ["/livez", 200] as const,
    ["/regions", 200] as const,
  ]) {
    // A connection for each, since the agent of the client reuses none.
    const response = await ask(url, path, { headers: { connection: "keep-alive" } });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.connection).toBe("close");
  }
  expect(await persistent).toContain("200 OK");
  await closed;
  await expect(ask(url, "/livez")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("closing does not wait for idle connections", async () => {
  const { gateway, url } = await start();
  const idle = askRaw(url, "GET /regions HTTP/1.1\r\nHost: x\r\n\r\n");
  await ask(url, "/regions");
  await gateway.close();
  expect(await idle).toContain("200 OK");
});

test("closing does not wait for a client that requested a tunnel and stays connected", async () => {
  const { gateway, port } = await start();
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.write("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n");
  const [response] = (await once(socket, "data")) as [Buffer];
  expect(response.toString()).toContain(" 405 ");
  await gateway.close();
  socket.destroy();
});

test("a busy port is reported by its number, and the gateway can still be closed", async () => {
  const first = await start();
  const logger = createLogger({ service: "gateway", level: "silent" });
  const second = createGateway({ serviceUrls: services.urls, logger });
  await expect(second.listen({ port: first.port, host: "127.0.0.1" })).rejects.toMatchObject({
    name: "ListenError",
    port: first.port,
  });
  await second.close();
  await first.gateway.close();
});
