import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tracingDefaults } from "../../config/otel-shape.ts";
import type { TracingOptions } from "../../config/otel-shape.ts";
import type { Logger } from "../create-logger.ts";
import { SdkSpan } from "./sdk-span.ts";
import { formatTraceParent } from "./trace-parent.ts";
import type { TraceParent } from "./trace-parent.ts";
import type { Tracer } from "./tracer.ts";

/** Longest last export when the process ends, in milliseconds. */
const flushTimeoutMs = 3000;

/** Spans in one request to the receiver. */
const batchMax = 512;

/** Longest text of an attribute, in characters: a statement may be longer than a receiver takes. */
const valueMaxLength = 2048;

/** A tracer of OpenTelemetry's SDK without global state: services of one process have one each. */
export function createSdkTracer(given: TracingOptions, logger: Logger): Tracer {
  const options = { ...tracingDefaults, ...given };
  const { queueMax, exportTimeoutMs } = options;
  const exporter = new OTLPTraceExporter({
    url: options.url,
    headers: options.headers,
    timeoutMillis: exportTimeoutMs,
  });
  const ids = new RandomIdGenerator();
  // The SDK requests the id of a trace while its first span is created, and accepts none otherwise.
  let newTraceId: string | undefined;
  const provider = new TracerProvider({
    idGenerator: {
      generateTraceId: () => newTraceId ?? ids.generateTraceId(),
      generateSpanId: () => ids.generateSpanId(),
    },
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.namespace": "storefront",
        "service.instance.id": randomUUID(),
        ...options.resourceAttributes,
        "service.name": options.serviceName,
      }),
    ),
    // Only sampled traces have spans.
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: valueMaxLength },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportExports(exporter, logger),
        maxQueueSize: queueMax,
        maxExportBatchSize: Math.min(batchMax, queueMax),
        scheduledDelayMillis: options.exportDelayMs,
        // The exporter has its own limit, and knows more about a failure.
        exportTimeoutMillis: exportTimeoutMs + 1000,
      }),
    ],
  });
  const tracer = provider.getTracer("storefront");
  return {
    sample: createSampler(options, () => ids.generateTraceId()),
    enter(name, { parent, traceId, attributes }) {
      newTraceId = traceId;
      const start = { kind: "server", attributes } as const;
      return new SdkSpan(tracer, contextOf(parent), name, start, parent?.tracestate);
    },
    unsampled: (parent) =>
      formatTraceParent(parent?.traceId ?? ids.generateTraceId(), ids.generateSpanId(), false),
    async close() {
      // A failure was logged already.
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, sleep(flushTimeoutMs, undefined, { ref: false })]);
    },
  };
}

function contextOf(parent: TraceParent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? 1 : 0;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** An exporter that logs when exports begin to fail and when they succeed again, not every failure. */
function reportExports(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing) {
          // Only the message: a response of the receiver, or the request, may contain its token.
          const cause = result.error?.message;
          logger.warn({ cause }, "traces cannot be exported");
        } else if (!failed && isFailing) logger.info("traces are exported again");
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** The id of a call's trace, a new one unless its caller has sent one; undefined when it is not sampled. */
type Sampler = (parent: TraceParent | undefined) => string | undefined;

/** The sampler that `OTEL_TRACES_SAMPLER` and its argument name. */
function createSampler(
  { sampler, ratio }: Pick<typeof tracingDefaults, "sampler" | "ratio">,
  newTraceId: () => string,
): Sampler {
  const isParentBased = sampler.startsWith("parentbased_");
  const isSampled = rootDecision(sampler, ratio);
  return (parent) => {
    if (isParentBased && parent !== undefined) return parent.isSampled ? parent.traceId : undefined;
    if (isSampled === undefined) return undefined;
    const traceId = parent?.traceId ?? newTraceId();
    return isSampled(traceId) ? traceId : undefined;
  };
}

/** Whether a trace of this id is sampled, the same in all processes; undefined when none is. */
function rootDecision(name: string, ratio: number): ((traceId: string) => boolean) | undefined {
  if (name.endsWith("always_on")) return () => true;
  if (name.endsWith("always_off")) return undefined;
  const byId = new TraceIdRatioBasedSampler(ratio);
  return (traceId) =>
    byId.shouldSample(undefined, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
