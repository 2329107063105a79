import type { Span, SpanAttributes } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";

/** What the span of a call from outside begins with. */
export interface EntryStart {
  /** What its caller said of the trace; undefined begins a new one. */
  parent: TraceParent | undefined;
  /** Of a new trace; default a random one. */
  traceId?: string | undefined;
  attributes: SpanAttributes;
}

/** Traces the calls that a process, or a service in it, gets. */
export interface Tracer {
  /**
   * The id of a call's trace when that is sampled: its caller's or a new one, by which a sampler by
   * ratio decides.
   *
   * @param parent whom the decision may be left to; undefined where the caller has no say in it
   */
  sample(parent: TraceParent | undefined): string | undefined;
  /** Begins the span of a call whose trace is sampled. */
  enter(name: string, start: EntryStart): Span;
  /** `traceparent` for calls made for one whose trace is not sampled. */
  unsampled(parent: TraceParent | undefined): string;
  /** Sends what has ended, as far as that takes less than 3 s. */
  close(): Promise<void>;
}
