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
  /** @throws SERVICE_UNAVAILABLE when every place is taken */
  enter(): StreamPlace;
  /** Ends every stream, now and later. */
  close(): void;
}

/** Keeps the places of at most so many streams. */
export function createOpenStreams(placesMax: number): OpenStreams {
  const taken = new Set<AbortController>();
  let isClosed = false;
  return {
    enter() {
      if (taken.size >= placesMax) {
        throw unavailable("All streams are taken; try again later.");
      }
      const controller = new AbortController();
      taken.add(controller);
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
