import { createLogger, createMetrics } from "@storefront/process";
import { once } from "node:events";
import { connect } from "node:http2";
import { expect, it } from "vitest";
import { provideHealth, serve } from "../src/index.ts";

const batchBytes = 1024 * 1024;

it("lets a caller of the gRPC port send a whole batch before the server reads it", async () => {
  const server = await serve({
    name: "test",
    port: 0,
    grpcPort: 0,
    host: "127.0.0.1",
    services: [provideHealth([])],
    logger: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics({ service: "test" }),
  });
  const session = connect(`http://127.0.0.1:${server.grpcPort}`);
  try {
    await once(session, "remoteSettings");
    const call = session.request({
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Watch",
      "content-type": "application/grpc",
    });
    await once(session, "remoteSettings");
    expect(session.remoteSettings.initialWindowSize).toBeGreaterThanOrEqual(batchBytes);
    await expect.poll(() => session.state.remoteWindowSize).toBeGreaterThanOrEqual(batchBytes);
    call.close();
  } finally {
    session.destroy();
    await server.close();
  }
});
