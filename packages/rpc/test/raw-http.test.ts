import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { ConnectError } from "@connectrpc/connect";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestLimitBytes } from "../src/index.ts";
import { EchoRequestSchema, EchoResponseSchema } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const echo = "/rpctest.v1.EchoService/Echo";

describe("the Connect port", () => {
  let server: EchoServer;
  beforeAll(async () => {
    server = await startEchoServer();
  });
  afterAll(async () => await server.close());

  async function post(
    path: string,
    contentType: string,
    body: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
    headers = {},
  ) {
    const init = { method: "POST", body, headers: { "content-type": contentType, ...headers } };
    return await fetch(server.baseUrl + path, init);
  }
  const request = toBinary(EchoRequestSchema, create(EchoRequestSchema, { text: "hi" }));

  test("responds to a plain JSON request with JSON", async () => {
    const response = await post(echo, "application/json", '{"text":"hi"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ text: "hi" });
  });

  test("responds to a GET of a method without side effects", async () => {
    const message = encodeURIComponent('{"text":"hi"}');
    const response = await fetch(
      `${server.baseUrl}${echo}?connect=v1&encoding=json&message=${message}`,
    );
    expect(await response.json()).toMatchObject({ text: "hi" });
  });

  test("rejects a GET of a method with side effects", async () => {
    const response = await fetch(
      `${server.baseUrl}/rpctest.v1.EchoService/EchoOnce?encoding=json&message={}`,
    );
    expect(response.status).toBe(405);
  });

  test("responds to a binary request with its length", async () => {
    const response = await post(echo, "application/proto", request);
    expect(response.headers.get("content-type")).toBe("application/proto");
    const body = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(body.length));
    expect(fromBinary(EchoResponseSchema, body).text).toBe("hi");
  });

  test("reads a compressed request", async () => {
    const stream = new Blob([request]).stream().pipeThrough(new CompressionStream("gzip"));
    const body = await new Response(stream).arrayBuffer();
    const response = await post(echo, "application/proto", body, { "content-encoding": "gzip" });
    expect(fromBinary(EchoResponseSchema, new Uint8Array(await response.arrayBuffer())).text).toBe(
      "hi",
    );
  });

  test.each(["application/json", "application/proto"])(
    "rejects a malformed body of %s as invalid_argument",
    async (contentType) => {
      const response = await post(echo, contentType, new Uint8Array([0xff, 0xff, 0x01]));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "invalid_argument" });
    },
  );

  test.each(["application/json", "application/proto"])(
    "returns errors of %s as JSON with their status and details",
    async (contentType) => {
      const behavior = { failure: { case: "refuse", value: "o-1" } } as const;
      const body =
        contentType === "application/json"
          ? '{"behavior":{"refuse":"o-1"}}'
          : toBinary(EchoRequestSchema, create(EchoRequestSchema, { behavior }));
      const response = await post(echo, contentType, body);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        code: "not_found",
        details: [{ type: "google.rpc.ErrorInfo" }],
      });
    },
  );

  test.each(["application/json", "application/proto"])(
    "rejects a timeout of %s that is not a number as invalid_argument",
    async (contentType) => {
      const body = contentType === "application/json" ? "{}" : new Uint8Array();
      const response = await post(echo, contentType, body, { "connect-timeout-ms": "soon" });
      expect(await response.json()).toMatchObject({ code: "invalid_argument" });
    },
  );

  test("rejects a body that is too large as resource_exhausted before reading it", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST ${echo} HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\n` +
        `content-length: ${requestLimitBytes + 1}\r\n\r\n`,
    );
    const [response] = (await once(socket, "data")) as [Buffer];
    expect(response.toString()).toContain("resource_exhausted");
    socket.destroy();
  });

  test.each(["application/json", "application/proto"])(
    "reads the rest of a rejected large body of %s, so that its caller gets the response",
    async (contentType) => {
      const socket = connect(server.port, "127.0.0.1");
      const size = 2 * requestLimitBytes;
      const head = `POST ${echo} HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\n`;
      socket.write(`${head}content-length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size));
      socket.write("GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      const responses = await text(socket);
      expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 429", "HTTP/1.1 200"]);
    },
  );

  test("cuts off a caller that continues to send a rejected body", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.resume();
    socket.write(`POST ${echo} HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\n`);
    socket.write("content-length: 999999999999\r\n\r\n");
    const piece = Buffer.alloc(requestLimitBytes);
    const send = (error?: Error | null): void => {
      if (error === undefined || error === null) socket.write(piece, send);
    };
    send();
    await closed;
    expect(socket.bytesWritten).toBeLessThan(100 * requestLimitBytes);
  });

  test.each(["HTTP/1.0\r\n", "HTTP/1.1\r\nhost: [\r\n"])(
    "rejects a request without a valid host, and continues: %j",
    async (start) => {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(
        `POST ${echo} ${start}connection: close\r\ncontent-type: application/json\r\n` +
          `content-length: 2\r\n\r\n{}`,
      );
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
      expect((await post(echo, "application/json", "{}")).status).toBe(200);
    },
  );

  test("accepts a call whose deadline is longer than the longest timer", async () => {
    const failure = { case: "hang", value: true } as const;
    const body = toBinary(EchoRequestSchema, create(EchoRequestSchema, { behavior: { failure } }));
    const hanging = once(server.events, "hang");
    const controller = new AbortController();
    const call = fetch(server.baseUrl + echo, {
      method: "POST",
      body,
      headers: { "content-type": "application/proto", "connect-timeout-ms": "9999999999" },
      signal: controller.signal,
    });
    await hanging;
    const stopped = once(server.events, "stop") as Promise<[ConnectError]>;
    // A timer that overflows fires after 1 ms; this one is set after that.
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await expect(call).rejects.toThrow(DOMException);
    expect((await stopped)[0].code).toBe(Code.Canceled);
  });

  test("returns internal when a handler sets an invalid HTTP header", async () => {
    const behavior = { metadata: "a\u0001b" };
    const body = toBinary(EchoRequestSchema, create(EchoRequestSchema, { behavior }));
    const response = await post(echo, "application/proto", body);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: "internal" });
  });

  test("returns 404 for unknown procedures and pages", async () => {
    for (const path of ["/rpctest.v1.EchoService/Nothing", "/nothing", "/"]) {
      expect((await post(path, "application/proto", request)).status).toBe(404);
    }
  });

  test("returns 415 for unknown content types", async () => {
    expect((await post(echo, "text/plain", "hi")).status).toBe(415);
  });

  test("stays usable after a caller disconnects in the middle of its request", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST ${echo} HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\ncontent-length: 9\r\n\r\nabc`,
    );
    await once(socket, "connect");
    socket.destroy();
    expect((await post(echo, "application/proto", request)).status).toBe(200);
  });

  test("counts calls by procedure and code at /metrics", async () => {
    await post(echo, "application/proto", request);
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /rpc_server_call_duration_seconds_count\{.*procedure="rpctest\.v1\.EchoService\/Echo".*code="ok"\} [1-9]/,
    );
  });
});
