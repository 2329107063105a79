import { createClient } from "@connectrpc/connect";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createTransport, providePart } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";

const streams = 20;

test("the handler of a stream ends when its caller disconnects, also in the middle of a message", async () => {
  let ended = 0;
  const service = providePart(EchoService, {
    async *repeat(_request, { signal }) {
      try {
        // A write is always in progress.
        while (!signal.aborted) {
          yield {};
          await setImmediate();
        }
      } finally {
        ended += 1;
      }
    },
  });
  const server = await startEchoServer({ services: [service] });
  const transport = createTransport({ baseUrl: server.baseUrl });
  const client = createClient(EchoService, transport);
  for (let stream = 0; stream < streams; stream++) {
    const leaving = new AbortController();
    for await (const _ of client.repeat({}, { signal: leaving.signal })) break;
    leaving.abort();
  }
  await vi.waitUntil(() => ended === streams);
  expect(ended).toBe(streams);
  await transport.close();
  await server.close();
});
