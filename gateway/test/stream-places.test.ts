import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { addressList } from "../src/http/client-address.ts";
import { openEvents } from "./support/event-client.ts";
import type { EventReader } from "./support/event-client.ts";
import { useStack } from "./support/start-stack.ts";

const path = "/changelist/stream";
const stack = useStack({
  streamsMax: 4,
  streamsPerAddressMax: 2,
  protection: { trustedProxies: addressList(["127.0.0.1"]) },
});

const left: (() => void)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0)) leave();
  await vi.waitUntil(() => stack().services.log.watching === 0);
});

const openFrom = async (address: string): Promise<EventReader> => {
  const reader = await openEvents(stack().url, path, { "x-forwarded-for": address });
  left.push(() => reader.close());
  return reader;
};
const statusFrom = async (address: string) => (await openFrom(address)).status;

/** Pipelines requests over one connection. */
async function pipeline(count: number, first = path): Promise<Socket> {
  const { hostname, port } = new URL(stack().url);
  const socket = connect({ host: hostname, port: Number(port) });
  left.push(() => socket.destroy());
  await once(socket, "connect");
  const request = (target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`;
  socket.write(request(first) + request(path).repeat(count - 1));
  return socket;
}

test("a connection that pipelines requests for 101 streams gets one, and leaves slots for other clients", async () => {
  const socket = await pipeline(101);
  await once(socket, "data");
  const others = ["192.0.2.2", "192.0.2.3", "192.0.2.4"];
  for (const address of others) expect(await statusFrom(address)).toBe(200);
});

test("an address, also a whole IPv6 network, has a limit of streams until it ends one", async () => {
  const first = await openFrom("2001:db8::1");
  expect(first.status).toBe(200);
  expect(await statusFrom("2001:db8::2")).toBe(200);
  expect(await statusFrom("2001:db8::3")).toBe(503);
  expect(await statusFrom("2001:db8:0:1::3")).toBe(200);
  first.close();
  await expect.poll(() => statusFrom("2001:db8::3")).toBe(200);
});

test("a connection may request another stream after one that could not begin", async () => {
  const { hostname, port } = new URL(stack().url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  left.push(() => agent.destroy());
  const statusOf = async (target: string) => {
    const [response] = (await once(
      httpRequest({ hostname, port, path: target, agent }).end(),
      "response",
    )) as [IncomingMessage];
    if (response.statusCode !== 200) await text(response);
    return response.statusCode;
  };
  expect(await statusOf(`${path}?after=nope`)).toBe(404);
  expect(await statusOf(path)).toBe(200);
});

test("a stream that waits for an earlier response on its connection frees its slot with the connection", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("listItems", () => promise);
  const socket = await pipeline(2, "/items");
  await expect.poll(() => stack().services.log.watching).toBe(1);
  socket.destroy();
  await expect.poll(() => stack().services.log.watching).toBe(0);
  resolve();
});
