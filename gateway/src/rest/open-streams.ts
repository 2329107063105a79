import { unavailable } from "../errors/public-error.ts";

/** A stream's place among the open ones. */
export interface StreamPlace {
  /** Aborted when the stream must end. */
  signal: AbortSignal;
  /** Ends the stream and gives the place back. A second call does nothing. */
  leave: () => void;
}

/** The event streams that are open: bounded in number, and ended together. */
export interface OpenStreams {
  /** How many are open. */
  readonly count: number;
  /** How many were opened, and refused a place, since the beginning. */
  readonly outcomes: { readonly opened: number; readonly refused: number };
  /** @throws SERVICE_UNAVAILABLE when every place is taken */
  enter(): StreamPlace;
  /** Ends every stream, now and later. */
  close(): void;
}

/** Keeps the places of at most so many streams. */
export function createOpenStreams(placesMax: number): OpenStreams {
  const taken = new Set<AbortController>();
  const outcomes = { opened: 0, refused: 0 };
  let isClosed = false;
  return {
    outcomes,
    get count() {
      return taken.size;
    },
    enter() {
      if (taken.size >= placesMax) {
        outcomes.refused += 1;
        throw unavailable("All streams are taken; try again later.");
      }
      const controller = new AbortController();
      taken.add(controller);
      outcomes.opened += 1;
      if (isClosed) controller.abort();
      return {
        signal: controller.signal,
        leave() {
          taken.delete(controller);
          controller.abort();
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of taken) controller.abort();
    },
  };
}
