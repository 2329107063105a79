import { AsyncLocalStorage } from "node:async_hooks";
import type { Span, SpanStart } from "./tracer.ts";

/**
 * Runs `work` in a child span of the active one; without an active one just runs it.
 *
 * @param start called only if a span begins; default: an internal one without attributes
 */
export function inSpan<Result>(
  name: string,
  work: () => Promise<Result>,
  start?: () => SpanStart,
): Promise<Result> {
  const parent = activeSpan();
  return parent === undefined ? work() : runInSpan(parent.child(name, start?.()), work);
}

/** Runs `work` for a span, which ends and fails with it. */
async function runInSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await runForSpan(span, work);
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A caller of joined work; without a span when its trace is not sampled. */
export interface JoinedCaller {
  readonly span: Span | undefined;
}

/**
 * Runs work for several callers: in a child span of the first one's, which is linked to the others', and
 * theirs to it.
 */
export function inJoinedSpan<Result>(
  name: string,
  callers: readonly JoinedCaller[],
  work: () => Promise<Result>,
): Promise<Result> {
  const first = callers.find(({ span }) => span !== undefined)?.span;
  // The first caller may not be sampled.
  if (first === undefined || callers.length === 1) return runForSpan(first, work);
  const others = new Set(callers.flatMap(({ span }) => span ?? []));
  others.delete(first);
  const joined = first.child(name, {
    links: [...others],
    attributes: { "storefront.lookups": callers.length },
  });
  for (const other of others) other.link(joined);
  return runInSpan(joined, work);
}

/** The type of an error, of low cardinality: its code, or else its name. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/**
 * The span that the running code works for. One for the process, since calls run through all its parts; not
 * created before a trace is sampled, so that a process without traces has no overhead.
 */
let spans: AsyncLocalStorage<Span | undefined> | undefined;

/** The span that the running code works for; undefined when its trace is not sampled, or there is none. */
export function activeSpan(): Span | undefined {
  return spans?.getStore();
}

/** Runs `work`, and all work that it starts, for this span; for none with undefined. */
export function runForSpan<Result>(span: Span | undefined, work: () => Result): Result {
  if (spans === undefined) {
    if (span === undefined) return work();
    spans = new AsyncLocalStorage();
  }
  return spans.run(span, work);
}
