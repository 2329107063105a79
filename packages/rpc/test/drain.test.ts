import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { Client, credentials } from "@grpc/grpc-js";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { createGrpcTransport, createTransport, ListenError, providePart } from "../src/index.ts";
import type { ClosableTransport, ServeOptions } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close();
});

async function start(options?: Partial<ServeOptions>): Promise<EchoServer> {
  const server = await startEchoServer(options);
  opened.push(server);
  return server;
}

/** A service whose Echo responds when the test releases it. */
function blockedService() {
  const called = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const service = providePart(EchoService, {
    async echo({ text }) {
      called.resolve();
      await release.promise;
      return { text };
    },
  });
  return { services: [service], called: called.promise, release: release.resolve };
}

const ways: { name: string; open: (server: EchoServer) => ClosableTransport }[] = [
  { name: "Connect port", open: ({ baseUrl }) => createTransport({ baseUrl }) },
  { name: "gRPC port", open: ({ address }) => createGrpcTransport({ address }) },
];

describe.each(ways)("closing the $name", ({ open }) => {
  test("completes a call in progress and rejects new ones", async () => {
    const { services, called, release } = blockedService();
    const server = await start({ services });
    const transport = open(server);
    const fresh = open(server);
    opened.push(transport, fresh);
    const call = createClient(EchoService, transport).echo({ text: "kept" });
    await called;

    const closing = server.close();
    const refused: unknown = await createClient(EchoService, fresh)
      .echo({})
      .catch((error: unknown) => error);
    expect((refused as ConnectError).code).toBe(Code.Unavailable);
    release();
    expect((await call).text).toBe("kept");
    await closing;
  });

  test("aborts calls that do not finish in time, as unavailable", async () => {
    const server = await start({ shutdownTimeoutMs: 50 });
    const transport = open(server);
    opened.push(transport);
    const client = createClient(EchoService, transport);
    const behavior = { failure: { case: "hang", value: true } } as const;

    const firstHang = once(server.events, "hang");
    const call = client.echo({ behavior }).catch((error: unknown) => error);
    await firstHang;
    const secondHang = once(server.events, "hang");
    const reading = (async () => {
      for await (const _ of client.repeat({ count: 1, behavior }));
    })().catch((error: unknown) => error);
    await secondHang;

    await server.close();
    for (const error of [await call, await reading]) {
      expect(error).toBeInstanceOf(ConnectError);
      expect((error as ConnectError).code).toBe(Code.Unavailable);
    }
  });

  test("cuts off calls whose handlers ignore their signal", async () => {
    const { services, called } = blockedService();
    const server = await start({ services, shutdownTimeoutMs: 50 });
    const transport = open(server);
    opened.push(transport);
    const call = createClient(EchoService, transport)
      .echo({})
      .catch((error: unknown) => error);
    await called;
    await server.close();
    expect(await call).toBeInstanceOf(ConnectError);
  });
});

test("closing twice has no further effect", async () => {
  const server = await start();
  const closings = Promise.all([server.close(), server.close()]);
  await expect(closings).resolves.toEqual([undefined, undefined]);
});

test("a server that drains is not ready", async () => {
  const { services, called, release } = blockedService();
  const server = await start({ services });
  const transport = createTransport({ baseUrl: server.baseUrl });
  opened.push(transport);
  expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
  const call = createClient(EchoService, transport).echo({});
  await called;
  const closing = server.close();
  // Only open connections can still send requests.
  const late = await fetch(`${server.baseUrl}/readyz`).then(
    ({ status }) => status,
    () => "refused",
  );
  expect([503, "refused"]).toContain(late);
  release();
  await call;
  await closing;
});

test.each(["port", "grpcPort"] as const)(
  "an error for a %s in use has its number",
  async (which) => {
    const server = await start();
    const error: unknown = await startEchoServer({ [which]: server[which] }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ListenError);
    expect((error as ListenError).port).toBe(server[which]);
  },
);

describe("the lame-duck time", () => {
  /** Long enough for every request of a test on a busy machine. */
  const shutdownDelayMs = 2000;

  test("serves new connections while readiness and grpc.health.v1 already report that it is not ready", async () => {
    const server = await start({ shutdownDelayMs });
    const client = new Client(server.address, credentials.createInsecure());
    const statuses: string[] = [];
    const watch = watchHealth(client, (status) => statuses.push(status));
    await watch.first;

    const closing = server.close();
    // A response with `Connection: close` makes the next fetch open a new connection.
    for (const [path, status] of [["/readyz", 503] as const, ["/livez", 200] as const]) {
      const response = await fetch(`${server.baseUrl}${path}`);
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.get("connection")).toBe("close");
    }
    for (const { open } of ways) {
      const transport = open(server);
      opened.push(transport);
      expect((await createClient(EchoService, transport).echo({ text: "late" })).text).toBe("late");
    }
    expect(statuses).toEqual(["SERVING", "NOT_SERVING"]);
    await closing;
    await expect(fetch(`${server.baseUrl}/livez`)).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED" },
    });
    client.close();
  });
});

/** Follows grpc.health.v1 of the whole server; `first` resolves at its first response. */
function watchHealth(client: Client, onStatus: (status: string) => void): { first: Promise<void> } {
  const { serialize, deserialize } = {
    serialize: () => Buffer.alloc(0),
    // HealthCheckResponse: field 1 is the status, and 0 is not sent.
    deserialize: (bytes: Buffer) => ["UNKNOWN", "SERVING", "NOT_SERVING"][bytes[1] ?? 0] ?? "OTHER",
  };
  const call = client.makeServerStreamRequest(
    "/grpc.health.v1.Health/Watch",
    serialize,
    deserialize,
    undefined,
  );
  const first = Promise.withResolvers<void>();
  call.on("data", (status: string) => {
    onStatus(status);
    first.resolve();
  });
  // The server cuts off watchers when it closes.
  call.on("error", () => undefined);
  return { first: first.promise };
}
