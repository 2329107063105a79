import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./span.ts";

/**
 * The span that the running code works for. It is the process's, since what it follows is the flow of
 * calls through all parts of it; and it is not made before a trace is sampled, so that a process
 * without traces follows nothing.
 */
let spans: AsyncLocalStorage<Span | undefined> | undefined;

/** The span that the running code works for; undefined when its trace is not sampled, or there is none. */
export function activeSpan(): Span | undefined {
  return spans?.getStore();
}

/** Runs `work`, and all that it waits for or begins, for this span; for none with undefined. */
export function runForSpan<Result>(span: Span | undefined, work: () => Result): Result {
  if (spans === undefined) {
    if (span === undefined) return work();
    spans = new AsyncLocalStorage();
  }
  return spans.run(span, work);
}
