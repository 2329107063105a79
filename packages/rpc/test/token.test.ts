import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeUnlessMissing } from "@storefront/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGrpcTransport, createTransport, errorInfoOf } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { callers } from "./support/callers.ts";
import type { Caller } from "./support/callers.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const token = "the-token-of-this-test";
const nextToken = "the-token-after-that";

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer({ tokens: [token, nextToken] });
});
afterAll(async () => await server.close());

function tokenSuite({ open, bidirectional }: Caller): void {
  let transport: ReturnType<typeof open>;
  beforeAll(() => {
    transport = open(server);
  });
  afterAll(async () => await transport.close?.());

  const kinds = ["echo", "repeat", "join", ...(bidirectional ? (["chat"] as const) : [])] as const;

  test.each(kinds)("%s requires one of the valid tokens", async (kind) => {
    const client = createClient(EchoService, transport);
    async function* requests() {
      yield { text: "a" };
    }
    async function call(headers: Record<string, string>): Promise<void> {
      switch (kind) {
        case "echo":
          await client.echo({}, { headers });
          return;
        case "join":
          await client.join(requests(), { headers });
          return;
        case "repeat":
          for await (const _ of client.repeat({ count: 1 }, { headers }));
          return;
        case "chat":
          for await (const _ of client.chat(requests(), { headers }));
      }
    }
    for (const authorization of [
      undefined,
      "",
      token,
      `Bearer ${token}x`,
      "Bearer ",
      `Bearer ${token},${nextToken}`,
    ]) {
      const error: unknown = await call(authorization === undefined ? {} : { authorization }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ConnectError);
      expect((error as ConnectError).code).toBe(Code.Unauthenticated);
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.INVALID_TOKEN);
    }
    await call({ authorization: `Bearer ${token}` });
    await call({ authorization: `Bearer ${nextToken}` });
  });
}

for (const caller of callers) {
  describeUnlessMissing(caller.name, caller.missing, () => tokenSuite(caller));
}

test("our transports send the given token", async () => {
  const { baseUrl, address } = server;
  for (const transport of [
    createTransport({ baseUrl, token }),
    createGrpcTransport({ address, token }),
  ]) {
    const client = createClient(EchoService, transport);
    expect((await client.echo({ text: "in" })).text).toBe("in");
    for await (const { text } of client.repeat({ text: "in", count: 1 })) expect(text).toBe("in");
    await transport.close();
  }
});
