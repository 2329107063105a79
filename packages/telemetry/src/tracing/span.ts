/** Attributes by their names in the semantic conventions of OpenTelemetry; undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a span answers a call from outside, makes one, or does neither. */
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
