import type { Socket } from "node:net";
import { unavailable } from "../errors/public-error.ts";

/** The client of a long response. */
export interface OpenResponseClient {
  /** What counts as one client. */
  address: string;
  socket: Socket;
}

/** A place among the open responses. */
export interface ResponsePlace {
  /** Aborted when the response must end. */
  signal: AbortSignal;
  /** Ends the response and gives the place back. A second call does nothing. */
  leave: () => void;
}

/** How requests for a long response end. */
export type OpenOutcome = "opened" | "refused" | "refused_address";

/** Responses of one kind that last long, such as streams: bounded in number, and ended together. */
export interface OpenResponses {
  /** How many are open. */
  readonly count: number;
  /** Requests by how they ended, since the process began. */
  readonly outcomes: Readonly<Record<OpenOutcome, number>>;
  /** @throws SERVICE_UNAVAILABLE when all places are taken, or all of the client's, or after `close` */
  enter(client: OpenResponseClient): ResponsePlace;
  /** Ends every response, and refuses later ones. */
  close(): void;
}

/** How many responses may be open. */
export interface OpenResponseLimits {
  /** What errors call them: `stream`. */
  noun: string;
  placesMax: number;
  placesPerAddressMax: number;
  /** Seconds after which a client that is refused may try again; default 1. */
  retryAfterSeconds?: number;
}

/** Counts the places of responses. */
export function createOpenResponses(limits: OpenResponseLimits): OpenResponses {
  const { noun, placesMax, placesPerAddressMax, retryAfterSeconds } = limits;
  const refusal = (message: string) => unavailable(message, retryAfterSeconds);
  const taken = new Set<AbortController>();
  const countByAddress = new Map<string, number>();
  const sockets = new WeakSet<Socket>();
  const outcomes = { opened: 0, refused: 0, refused_address: 0 };
  let isClosed = false;

  function take(address: string): void {
    const count = countByAddress.get(address) ?? 0;
    if (count >= placesPerAddressMax) {
      outcomes.refused_address += 1;
      throw refusal(`All ${noun}s of your address are taken; end one of them first.`);
    }
    if (taken.size >= placesMax) {
      outcomes.refused += 1;
      throw refusal(`All ${noun}s are taken; try again later.`);
    }
    countByAddress.set(address, count + 1);
  }

  function giveBack(address: string): void {
    const count = countByAddress.get(address) ?? 0;
    if (count > 1) countByAddress.set(address, count - 1);
    else countByAddress.delete(address);
  }

  return {
    outcomes,
    get count() {
      return taken.size;
    },
    enter({ address, socket }) {
      if (isClosed) throw unavailable("The gateway is about to end; try again.");
      // Its response would begin when the first one ends.
      if (sockets.has(socket)) {
        outcomes.refused_address += 1;
        throw refusal(`This connection has a ${noun} already.`);
      }
      take(address);
      sockets.add(socket);
      const controller = new AbortController();
      taken.add(controller);
      outcomes.opened += 1;
      const leave = () => {
        if (!taken.delete(controller)) return;
        giveBack(address);
        sockets.delete(socket);
        controller.abort();
      };
      return { signal: controller.signal, leave };
    },
    close() {
      isClosed = true;
      for (const controller of taken) controller.abort();
    },
  };
}
