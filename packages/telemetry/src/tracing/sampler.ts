import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import type { TraceParent } from "./trace-parent.ts";
import type { TracingOptions } from "./tracing-options.ts";

/** Decides over the trace of a call, by what its caller has said of it. */
export type Sampler = (parent: TraceParent | undefined) => boolean;

/** The sampler that `OTEL_TRACES_SAMPLER` and its argument name. */
export function createSampler({
  sampler = "parentbased_always_on",
  ratio = 1,
}: Pick<TracingOptions, "sampler" | "ratio">): Sampler {
  const isParentBased = sampler.startsWith("parentbased_");
  const root = rootSampler(sampler, ratio);
  return (parent) => (isParentBased && parent !== undefined ? parent.isSampled : root(parent));
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name.endsWith("always_on")) return () => true;
  if (name.endsWith("always_off")) return () => false;
  const byId = new TraceIdRatioBasedSampler(ratio);
  return (parent) => {
    // A trace that is not sampled needs no id, and the ids of those that are sampled are random.
    if (parent === undefined) return Math.random() < ratio;
    // Services that decide by themselves decide alike.
    const { decision } = byId.shouldSample(undefined, parent.traceId);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
}
