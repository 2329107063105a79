import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A TCP link between two processes that can be disturbed. */
export interface FaultyLink {
  /** Port that the client connects to, on this machine. */
  readonly port: number;
  /** Breaks every connection, and refuses new ones until `heal`. */
  cut(): void;
  /** Passes nothing on in either direction until `heal`; connections stay open. */
  stall(): void;
  /** Passes requests on, but no responses, until `heal`. */
  stallResponses(): void;
  heal(): void;
  close(): Promise<void>;
}

/**
 * Opens a link to a port of this machine.
 *
 * @param target called for each connection, since a restarted process may listen on another port; undefined
 * while it does not listen.
 */
export async function openFaultyLink(target: () => number | undefined): Promise<FaultyLink> {
  const sockets = new Set<Socket>();
  const responding = new Set<Socket>();
  let state: "whole" | "cut" | "stalled" | "responses stalled" = "whole";
  const isStalled = (socket: Socket) =>
    state === "stalled" || (state === "responses stalled" && responding.has(socket));
  const server = createServer((near) => {
    const port = target();
    if (state === "cut" || port === undefined) {
      near.resetAndDestroy();
      return;
    }
    join(near, connect(port, "127.0.0.1"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function join(near: Socket, far: Socket): void {
    responding.add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      from.on("drain", () => isStalled(to) || to.resume());
      from.on("end", () => to.end());
      // An error is expected here; it closes the other half too.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        responding.delete(from);
        to.destroy();
      });
      if (isStalled(from)) from.pause();
    }
  }

  function cut(): void {
    state = "cut";
    for (const socket of sockets) socket.resetAndDestroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stall() {
      state = "stalled";
      for (const socket of sockets) socket.pause();
    },
    stallResponses() {
      state = "responses stalled";
      for (const socket of responding) socket.pause();
    },
    heal() {
      state = "whole";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
