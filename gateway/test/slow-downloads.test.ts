import { create } from "@bufbuild/protobuf";
import { anyPack, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { addressList } from "../src/http/client-address.ts";
import { downloadLimits } from "../src/rest/snapshot-endpoint.ts";
import { passSeconds } from "./support/clock.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack({
  protection: { trustedProxies: addressList(["127.0.0.1"]) },
  // Downloads are not to be cut off because they stall.
  stallTimeoutMs: 600_000,
});

const sockets: Socket[] = [];

beforeAll(async () => {
  const observedAt = timestampFromDate(new Date("2026-03-16T19:05:41.123Z"));
  // More than the buffers of a connection hold, also when it is compressed.
  const titles = Array.from({ length: 10 }, () => randomBytes(750_000).toString("base64"));
  stack().services.feeds.catalog.snapshot.entries = titles.map((title, index) => {
    const record = anyPack(OfferSchema, create(OfferSchema, { id: `o${index}`, title }));
    return { kind: "offer", key: [`o${index}`], observedAt, record };
  });
  await vi.waitUntil(
    async () => (await stack().ask("/snapshot", { method: "HEAD" })).status === 200,
  );
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const addressOf = (number: number) => `2001:db8:${number}::1`;

function openSocket(): Socket {
  const { hostname, port } = new URL(stack().url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  socket.on("error", () => undefined);
  return socket;
}

/** Begins a download, and reads no more than the head of its response. */
async function begin(address: string, requestId = "slow"): Promise<Socket> {
  const socket = openSocket();
  socket.write(
    `GET /snapshot HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nX-Request-Id: ${requestId}\r\n\r\n`,
  );
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  expect(chunk.toString("latin1", 0, 12)).toBe("HTTP/1.1 200");
  return socket;
}

const ask = (address: string, method = "GET") =>
  stack().ask("/snapshot", {
    method,
    headers: { "x-forwarded-for": address, range: "bytes=0-0" },
  });

test("downloads are bounded by address and in total, and the next is admitted when one ends", async () => {
  const { max, perAddressMax } = downloadLimits;
  for (let index = 0; index < perAddressMax; index++) await begin(addressOf(0));
  const refused = await ask(addressOf(0));
  expect(refused.status).toBe(503);
  expect(refused.headers).toMatchObject({ "retry-after": "30", "cache-control": "no-store" });
  expect(refused.json).toMatchObject({ error: "UNAVAILABLE" });
  // Only responses with a body are bounded.
  expect((await ask(addressOf(0), "HEAD")).status).toBe(200);
  expect((await ask(addressOf(1))).status).toBe(206);

  for (let index = perAddressMax; index < max; index++) await begin(addressOf(index));
  expect((await ask(addressOf(max))).status).toBe(503);
  sockets[0]?.destroy();
  await vi.waitFor(async () => expect((await ask(addressOf(max))).status).toBe(206));
});

test("a download slower than 64 KiB a second is cut off, and not earlier", async () => {
  await begin(addressOf(0), "too-slow");
  const { headers } = await stack().ask("/snapshot", { method: "HEAD" });
  const longestSeconds = 120 + Number(headers["content-length"]) / 65_536;
  // A request with the usual time limit, whose end shows that slow clients were checked.
  const witness = openSocket();
  witness.write(
    "POST /offers/exists HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\nX-Request-Id: witness\r\n\r\n",
  );
  await once(witness, "data");
  passSeconds(longestSeconds - 60);
  await expect.poll(() => stack().linesOf("witness")).toHaveLength(1);
  expect(stack().linesOf("too-slow")).toEqual([]);
  passSeconds(60);
  await expect.poll(() => stack().linesOf("too-slow")).toHaveLength(1);
  expect(stack().linesOf("too-slow")[0]).toMatchObject({ status: 200, aborted: true });
});
