import type { Socket } from "node:net";
import { unavailable } from "../errors/public-error.ts";

/** Who asks for a stream. */
export interface StreamClient {
  /** What counts as one client. */
  address: string;
  socket: Socket;
}

/** A stream's place among the open ones. */
export interface StreamPlace {
  /** Aborted when the stream must end. */
  signal: AbortSignal;
  /** Ends the stream and gives the place back. A second call does nothing. */
  leave: () => void;
}

/** What became of a client that asked for a stream. */
export type StreamOutcome = "opened" | "refused" | "refused_address";

/** The event streams that are open: bounded in number, and ended together. */
export interface OpenStreams {
  /** How many are open. */
  readonly count: number;
  /** How many came to what since the beginning. */
  readonly outcomes: Readonly<Record<StreamOutcome, number>>;
  /** @throws SERVICE_UNAVAILABLE when every place is taken, or every one of the client's, or none is given any more */
  enter(client: StreamClient): StreamPlace;
  /** Ends every stream, and refuses those that come later. */
  close(): void;
}

/** How many streams may be open. */
export interface StreamLimits {
  placesMax: number;
  placesPerAddressMax: number;
}

/** Keeps the places of streams. */
export function createOpenStreams({ placesMax, placesPerAddressMax }: StreamLimits): OpenStreams {
  const taken = new Set<AbortController>();
  const countByAddress = new Map<string, number>();
  const sockets = new WeakSet<Socket>();
  const outcomes = { opened: 0, refused: 0, refused_address: 0 };
  let isClosed = false;

  function take(address: string): void {
    const count = countByAddress.get(address) ?? 0;
    if (count >= placesPerAddressMax) {
      outcomes.refused_address += 1;
      throw unavailable("All streams of your address are taken; end one of them first.");
    }
    if (taken.size >= placesMax) {
      outcomes.refused += 1;
      throw unavailable("All streams are taken; try again later.");
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
      // Its answer would begin when the first one ends, which is when the connection ends.
      if (sockets.has(socket)) {
        outcomes.refused_address += 1;
        throw unavailable("This connection has a stream already.");
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
