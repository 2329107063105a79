import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

/** A proxy between a client and a server that can drop all data. */
export interface TcpProxy {
  readonly port: number;
  /** From now on all data is dropped, on open connections and on new ones; none is closed. */
  swallow(): void;
  /** From now on data of new connections is dropped, and of one open connection; the others are forwarded. */
  swallowSome(): void;
  /** New connections are forwarded again; those that were open stay silent. */
  heal(): void;
  /** Breaks every connection and stops listening. */
  stop(): Promise<void>;
}

/**
 * Forwards TCP connections from a loopback port to another one.
 *
 * @param port default: the system chooses; give it to restart a stopped proxy
 */
export async function startTcpProxy(targetPort: number, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    // When one side disconnects, the other one is closed.
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer((outside) => {
    track(outside);
    if (isSwallowing) {
      outside.pause();
      return;
    }
    const inside = track(connect(targetPort, "127.0.0.1"));
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.pipe(to);
      from.on("close", () => to.destroy());
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    swallow() {
      isSwallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    swallowSome() {
      isSwallowing = true;
      for (const socket of [...sockets].slice(0, 2)) socket.unpipe().pause();
    },
    heal() {
      isSwallowing = false;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
