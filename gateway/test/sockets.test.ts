import { ChangeType } from "@storefront/contracts/type/v1/change";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { askRaw } from "./support/http-client.ts";
import { entry, value } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();
const impatient = useStack({ stallTimeoutMs: 500, keepAliveTimeoutMs: 1000 });

function parsed(response: string) {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  const status = Number(head.split(" ")[1]);
  return { status, head, json: JSON.parse(body) as unknown };
}

const refused: [why: string, bytes: string, status: number][] = [
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["an unknown method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["a malformed version", "GET / HTTP/9.x\r\nHost: x\r\n\r\n", 400],
  ["NUL in the path", "GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["a malformed header", "GET / HTTP/1.1\r\nHost: x\r\nbad header: y\r\n\r\n", 400],
  [
    "two lengths",
    "POST /offers/slugs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    400,
  ],
  [
    "a malformed chunk",
    "POST /offers/slugs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    400,
  ],
  ["headers too long", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ["a path too long", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ["no Host", "GET /regions HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["two Hosts", "GET /regions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nhost: x\r\n\r\n", 400],
  ...["a b@c", "a@b", "a/b", "a:b", "[::1", "a%2", "x\u00fc"].map(
    (host): (typeof refused)[number] => [
      `the Host ${host}`,
      `GET /regions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      400,
    ],
  ),
  [
    "bytes that are not percent-encoded",
    "GET /offers/\u00fc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    400,
  ],
  [
    "an unknown expectation",
    "GET /regions HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
    400,
  ],
  [
    "more than 100 header fields",
    `GET /regions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${"A: b\r\n".repeat(99)}\r\n`,
    400,
  ],
  ["a tunnel", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
];

test.for(refused)("a request with %s gets the error body", async ([, bytes, status]) => {
  const response = parsed(await askRaw(stack().url, bytes));
  expect(response.status).toBe(status);
  expect(response.head).toMatch(/content-type: application\/json; charset=utf-8/i);
  expect(response.head).toMatch(/x-request-id: \S+/i);
  expect(response.head).toMatch(/cache-control: no-store/i);
  expect(response.head).toMatch(/x-content-type-options: nosniff/i);
  expect(response.head).toMatch(/content-security-policy: default-src 'none'/i);
  expect(response.json).toEqual({
    message: expect.any(String),
    error: status === 405 ? "METHOD_NOT_ALLOWED" : "INVALID_ARGUMENT",
  });
});

test("an absolute target and an upgrade get a response like any request", async () => {
  const bytes =
    "GET http://any.example/regions HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: close\r\n\r\n";
  expect(parsed(await askRaw(stack().url, bytes)).status).toBe(200);
});

test("an absolute target without a path is the root", async () => {
  const bytes = "GET http://any.example HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const { status, json } = parsed(await askRaw(stack().url, bytes));
  expect(status).toBe(200);
  expect(json).toMatchObject({ openapi: "/openapi.json" });
});

test.for(["http://", "http:///nowhere", "ftp://any.example/x", "*"])(
  "an absolute target that names nothing is 404: %s",
  async (target) => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const response = parsed(await askRaw(stack().url, bytes));
    expect(response.status).toBe(404);
    expect(response.json).toEqual({ message: expect.any(String), error: "NOT_FOUND" });
  },
);

test("100 header fields are accepted", async () => {
  const fields = "A: b\r\n".repeat(98);
  const bytes = `GET /regions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`;
  expect(parsed(await askRaw(stack().url, bytes)).status).toBe(200);
});

test.for([
  "",
  "shop.example",
  "shop.example:",
  "192.0.2.1:4000",
  "[2001:db8::1]:4000",
  "a_b-c~%c3%bc.example:80",
])("the Host may be %s", async (host) => {
  const bytes = `GET /regions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  expect(parsed(await askRaw(stack().url, bytes)).status).toBe(200);
});

test("HTTP/1.0 needs no Host", async () => {
  expect(parsed(await askRaw(stack().url, "GET /sandboxes/room HTTP/1.0\r\n\r\n")).status).toBe(
    200,
  );
});

test("a client that reads nothing of its response is cut off", async () => {
  const text = value("x".repeat(500_000));
  const change = {
    changeType: ChangeType.INSERT,
    type: "string",
    field: "title",
    newValue: text,
  } as const;
  // More than the buffers of a connection hold.
  const entries = Array.from({ length: 50 }, (_none, index) =>
    entry(`large-${index}`, "other", "x", [change]),
  );
  impatient().services.log.append(...entries);
  const { hostname, port } = new URL(impatient().url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write("GET /changelist?limit=50 HTTP/1.1\r\nHost: x\r\nX-Request-Id: slow\r\n\r\n");
  await expect.poll(() => impatient().linesOf("slow"), { timeout: 10_000 }).toHaveLength(1);
  expect(impatient().linesOf("slow")[0]).toMatchObject({ status: 200, aborted: true });
  socket.destroy();
});

test("an idle connection stays open longer than at load balancers, or as long as configured", async () => {
  const request = "HEAD /regions HTTP/1.1\r\nHost: x\r\n\r\n";
  const { headers } = await fetch(`${stack().url}/regions`);
  expect(headers.get("keep-alive")).toBe("timeout=620");
  const text = await askRaw(impatient().url, request);
  expect(text).toMatch(/^keep-alive: timeout=1\r$/im);
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test("a client that requests a tunnel and resets the connection does no harm", async () => {
  const { hostname, port } = new URL(stack().url);
  for (let round = 0; round < 20; round++) {
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, "connect");
    socket.write("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n");
    // Once the response has begun, the server has taken the socket over from node:http.
    await once(socket, "data");
    socket.resetAndDestroy();
  }
  expect((await stack().ask("/regions")).status).toBe(200);
});
