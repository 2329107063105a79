import { Code, createClient } from "@connectrpc/connect";
import type { HandlerContext } from "@connectrpc/connect";
import { activeCall } from "@storefront/process";
import { describeUnlessMissing } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTransport, providePart } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { callers } from "./support/callers.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const limitMs = 300;

/** Our transports set a deadline for every call. */
const withoutDeadline = callers.filter(({ name }) => !name.startsWith("our "));

for (const { name, missing, open } of withoutDeadline) {
  describeUnlessMissing(`a call without a deadline (${name})`, missing, () => {
    let server: EchoServer;
    let seen: { deadlineMs: number | undefined; context: HandlerContext } | undefined;
    beforeAll(async () => {
      const echo = providePart(EchoService, {
        echo(_, context) {
          seen = { deadlineMs: activeCall()?.deadlineMs, context };
          // It ignores its signal too.
          return new Promise<never>(() => undefined);
        },
        async *repeat() {
          yield { text: String(activeCall()?.deadlineMs) };
          const other = createTransport({ baseUrl: server.baseUrl });
          const longer = createClient(EchoService, other).echo({}, { timeoutMs: 2 * limitMs });
          await longer.catch(() => undefined);
          await other.close();
          yield { text: "after the limit" };
        },
      });
      server = await startEchoServer({ services: [echo], callTimeoutMs: limitMs });
    });
    afterAll(() => server.close());

    it("has the server's deadline, also for its own calls, when it is unary", async () => {
      const transport = open(server);
      const call = createClient(EchoService, transport).echo({});
      await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
      expect(seen?.deadlineMs).toBeLessThanOrEqual(Date.now());
      expect(seen?.context.signal.reason).toMatchObject({ code: Code.DeadlineExceeded });
      await transport.close?.();
    });

    it("has none when it is a stream", async () => {
      const transport = open(server);
      const texts: string[] = [];
      const stream = createClient(EchoService, transport).repeat({});
      for await (const { text } of stream) texts.push(text);
      expect(texts).toEqual(["Infinity", "after the limit"]);
      await transport.close?.();
    });
  });
}
