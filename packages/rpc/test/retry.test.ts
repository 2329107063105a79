import { Code, ConnectError, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createTransport, providePart, ServiceError } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function open(baseUrl: string): Client<typeof EchoService> {
  const transport = createTransport({ baseUrl });
  closers.push(() => transport.close());
  return createClient(EchoService, transport);
}

/** A service that is unavailable for its first calls, and counts them. */
async function startFlaky(failures: number) {
  let calls = 0;
  const handler = ({ text }: { text: string }) => {
    calls++;
    if (calls > failures) return { text };
    throw new ServiceError({
      code: Code.Unavailable,
      reason: ErrorReason.DEPENDENCY_UNAVAILABLE,
      message: "not now",
    });
  };
  const services = [providePart(EchoService, { echo: handler, echoOnce: handler })];
  const server = await startEchoServer({ services });
  closers.push(() => server.close());
  return { client: open(server.baseUrl), calls: () => calls };
}

test("a call without side effects is retried when the service is unavailable", async () => {
  const { client, calls } = await startFlaky(1);
  expect((await client.echo({ text: "again" })).text).toBe("again");
  expect(calls()).toBe(2);
});

test("it is not retried twice", async () => {
  const { client, calls } = await startFlaky(2);
  await expect(client.echo({})).rejects.toMatchObject({ code: Code.Unavailable });
  expect(calls()).toBe(2);
});

test("a call with side effects is not retried", async () => {
  const { client, calls } = await startFlaky(1);
  await expect(client.echoOnce({})).rejects.toMatchObject({ code: Code.Unavailable });
  expect(calls()).toBe(1);
});

test("a call whose connection is cut before the response is retried on another", async () => {
  const server = await startEchoServer();
  closers.push(() => server.close());
  // Cuts the first connection and relays the others.
  let connections = 0;
  const relay = createServer((socket) => {
    connections++;
    socket.on("error", () => undefined);
    if (connections === 1) {
      socket.once("data", () => socket.destroy());
      return;
    }
    const upstream = connect(server.port, "127.0.0.1");
    upstream.on("error", () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  closers.push(() => relay.close());
  const client = open(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`);
  expect((await client.echo({ text: "made up" })).text).toBe("made up");
  expect(connections).toBe(2);
});

test("a service that does not run is unavailable", async () => {
  const server = await startEchoServer();
  await server.close();
  const error: unknown = await open(server.baseUrl)
    .echo({})
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConnectError);
  expect((error as ConnectError).code).toBe(Code.Unavailable);
});
