import type { TraceParent } from "./trace-parent.ts";

/** Attributes by their names in the semantic conventions of OpenTelemetry; undefined ones are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a span serves an incoming call, makes an outgoing one, or neither. */
export type SpanKind = "server" | "client" | "internal";

/** Initial values of a span. */
export interface SpanStart {
  /** Default `internal`. */
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** Other spans besides its parent that it works for. */
  links?: readonly Span[];
}

/** A piece of work in a sampled trace; other traces have no spans. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** `traceparent` of calls made within it. */
  readonly traceparent: string;
  /** `tracestate` of calls made within it. */
  readonly tracestate: string | undefined;
  /** Begins a part of this work. */
  child(name: string, start?: SpanStart): Span;
  /** To a name of low cardinality, so without ids. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Links another span whose work was part of this one. */
  link(other: Span): void;
  /** Marks it as failed. @param errorType of low cardinality, such as a code: no message */
  fail(errorType: string): void;
  end(): void;
}

/** Initial values of the span of an incoming call. */
export interface EntryStart {
  /** The trace of its caller; undefined begins a new one. */
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
   * @param parent for samplers that follow the caller's decision; undefined without one
   */
  sample(parent: TraceParent | undefined): string | undefined;
  /** Begins the span of a call whose trace is sampled. */
  enter(name: string, start: EntryStart): Span;
  /** `traceparent` for outgoing calls of a call whose trace is not sampled. */
  unsampled(parent: TraceParent | undefined): string;
  /** Sends ended spans, within 3 s. */
  close(): Promise<void>;
}
