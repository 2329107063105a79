import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Span as OtelSpan, Tracer as OtelTracer } from "@opentelemetry/api";
import type { Span, SpanAttributes, SpanStart } from "./tracer.ts";
import { formatTraceParent } from "./trace-parent.ts";

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** A span of OpenTelemetry's SDK. */
export class SdkSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly tracestate: string | undefined;
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;

  /** @param context has the parent */
  constructor(
    tracer: OtelTracer,
    context: Context,
    name: string,
    { kind = "internal", attributes = {}, links = [] }: SpanStart,
    tracestate: string | undefined,
  ) {
    this.#tracer = tracer;
    this.#span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links: links.map(linkTo) },
      context,
    );
    const { traceId, spanId } = this.#span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.tracestate = tracestate;
  }

  get traceparent(): string {
    return formatTraceParent(this.traceId, this.spanId, true);
  }

  child(name: string, start: SpanStart = {}): Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new SdkSpan(this.#tracer, context, name, start, this.tracestate);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  link(other: Span): void {
    this.#span.addLink(linkTo(other));
  }

  fail(errorType: string): void {
    this.#span.setAttribute("error.type", errorType);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}

function linkTo({ traceId, spanId }: Span) {
  return { context: { traceId, spanId, traceFlags: 1 } };
}
