import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A way between two parts over TCP that can be disturbed. */
export interface FaultyLink {
  /** Where the nearer part connects to, on this machine. */
  readonly port: number;
  /** Breaks every connection, and refuses new ones until it is healed. */
  cut(): void;
  /** Lets nothing through any more, without a word to either side, until it is healed. */
  stall(): void;
  /** Lets requests through and their responses no more, until it is healed. */
  holdAnswers(): void;
  heal(): void;
  close(): Promise<void>;
}

/**
 * Opens a way to a port of this machine.
 *
 * @param target asked for each connection, since a restarted part may listen elsewhere; undefined
 * while it listens nowhere.
 */
export async function openFaultyLink(target: () => number | undefined): Promise<FaultyLink> {
  const sockets = new Set<Socket>();
  const answering = new Set<Socket>();
  let state: "whole" | "cut" | "stalled" | "unanswered" = "whole";
  const isHeld = (socket: Socket) =>
    state === "stalled" || (state === "unanswered" && answering.has(socket));
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
    answering.add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      from.on("drain", () => isHeld(to) || to.resume());
      from.on("end", () => to.end());
      // A broken connection is what a link is for; its other half goes with it.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        answering.delete(from);
        to.destroy();
      });
      if (isHeld(from)) from.pause();
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
    holdAnswers() {
      state = "unanswered";
      for (const socket of answering) socket.pause();
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
