import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import type { TraceParent } from "./trace-parent.ts";
import type { TracingOptions } from "./tracing-options.ts";

/** The id of a call's trace, a new one unless its caller has said one; undefined when it is not sampled. */
export type Sampler = (parent: TraceParent | undefined) => string | undefined;

/** The sampler that `OTEL_TRACES_SAMPLER` and its argument name. */
export function createSampler(
  { sampler = "parentbased_always_on", ratio = 1 }: Pick<TracingOptions, "sampler" | "ratio">,
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

/** Whether a trace of this id is sampled, so that all who decide by themselves decide alike; undefined when none is. */
function rootDecision(name: string, ratio: number): ((traceId: string) => boolean) | undefined {
  if (name.endsWith("always_on")) return () => true;
  if (name.endsWith("always_off")) return undefined;
  const byId = new TraceIdRatioBasedSampler(ratio);
  return (traceId) =>
    byId.shouldSample(undefined, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
