import type { TraceParent } from "./trace-parent.ts";

/** Attributes by their names in the semantic conventions of OpenTelemetry; undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a span serves a call from outside, makes one, or does neither. */
export type SpanKind = "server" | "client" | "internal";

/** What a span begins with. */
export interface SpanStart {
  /** Default `internal`. */
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** Spans that it is done for as well, beside its parent. */
  links?: readonly Span[];
}

/** A piece of work in a trace that is sampled; of traces that are not there are none. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** `traceparent` of calls made within it. */
  readonly traceparent: string;
  /** `tracestate` of calls made within it. */
  readonly tracestate: string | undefined;
  /** Begins a piece of this work. */
  child(name: string, start?: SpanStart): Span;
  /** Of few different ones, so without ids. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Says that another span's work was part of this, too. */
  link(other: Span): void;
  /** Marks it as failed. @param errorType of few different ones, such as a code: no message */
  fail(errorType: string): void;
  end(): void;
}

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
