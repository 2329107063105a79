import { once } from "node:events";
import { connect } from "node:net";
import { pipeline } from "node:stream/promises";
import { WebSocketServer, createWebSocketStream } from "ws";
import type { WebSocket } from "ws";

/** A relay that listens. */
export interface NeonRelay {
  /** `ws://` address, for `neonRelayUrl`. */
  url: string;
  /** Breaks every connection and stops listening. */
  stop(): Promise<void>;
  /** Breaks the connections that are open; new ones are accepted. */
  breakConnections(): void;
}

/**
 * A WebSocket-to-TCP relay on a loopback port, such as Neon runs in front of its databases, so that Neon's
 * driver reaches an ordinary PostgreSQL. Every WebSocket becomes one TCP connection to the loopback
 * address in `?address=host:port`.
 */
export async function startNeonRelay(): Promise<NeonRelay> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket, request) => {
    const { searchParams } = new URL(request.url ?? "/", "ws://relay");
    const { hostname, port } = new URL(`tcp://${searchParams.get("address") ?? ""}`);
    if (hostname !== "127.0.0.1" && hostname !== "localhost") {
      socket.close(1008);
      return;
    }
    void relay(socket, hostname, Number(port));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The relay has no port.");
  const breakConnections = () => {
    for (const socket of server.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${address.port}/v1`,
    breakConnections,
    async stop() {
      const closed = once(server, "close");
      server.close();
      breakConnections();
      await closed;
    },
  };
}

async function relay(socket: WebSocket, host: string, port: number): Promise<void> {
  const outside = createWebSocketStream(socket);
  const inside = connect({ host, port, noDelay: true });
  try {
    await Promise.all([pipeline(outside, inside), pipeline(inside, outside)]);
  } catch {
    // Either side disconnected: close the other one.
    socket.terminate();
    inside.destroy();
  }
}
