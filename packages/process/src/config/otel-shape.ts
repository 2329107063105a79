import { z } from "zod";
import { option } from "./environment.ts";
import type { Environment, EnvironmentRule } from "./environment.ts";
import { zInteger, zMilliseconds, zUrl } from "./values.ts";

/** `key=value` pairs separated by commas, values percent-encoded; as all `OTEL_*` lists are. */
const zPairs = z.string().transform((text, ctx): Record<string, string> => {
  const given = text.split(",").map((pair) => pair.trim());
  const pairs = given.filter((pair) => pair !== "").map(pairOf);
  if (pairs.includes(undefined)) {
    const message = "must be key=value pairs separated by commas, with percent-encoded values";
    ctx.addIssue({ code: "custom", message });
  }
  return Object.fromEntries(pairs.filter((pair) => pair !== undefined));
});

function pairOf(text: string): [key: string, value: string] | undefined {
  const { key, value } = /^(?<key>[^=\s]+)\s*=\s*(?<value>.*)$/.exec(text)?.groups ?? {};
  if (key === undefined || value === undefined) return undefined;
  try {
    return [key, decodeURIComponent(value)];
  } catch {
    return undefined;
  }
}

/** Samplers of the standard variable `OTEL_TRACES_SAMPLER`. */
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/**
 * Options of traces: the variables of OpenTelemetry, with its meanings and defaults.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const otelShape = {
  endpoint: option("OTEL_EXPORTER_OTLP_ENDPOINT", zUrl.optional(), "none: no traces").describe(
    "Where traces go, by OTLP over HTTP with protobuf, less `/v1/traces`, such as `http://collector:4318`.",
  ),
  tracesEndpoint: option(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }).optional(),
    "by the endpoint",
  ).describe("The same as a whole address, which goes before it."),
  exporter: option(
    "OTEL_TRACES_EXPORTER",
    z.enum(["otlp", "none"], "must be otlp or none").optional(),
    "by the endpoint",
  ).describe(
    "`otlp` sends traces to port 4318 of this machine if no address is given; `none` traces nothing.",
  ),
  protocol: option(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    z.string().optional(),
    "`http/protobuf`",
  ).describe("No other one is supported."),
  headers: option("OTEL_EXPORTER_OTLP_HEADERS", zPairs.default({})).describe(
    "Headers of exports: `key=value,…`, values percent-encoded.",
  ),
  exportTimeoutMs: option("OTEL_EXPORTER_OTLP_TIMEOUT", zMilliseconds.default(10_000)).describe(
    "Longest time for an export and its repetitions, in milliseconds.",
  ),
  sampler: option("OTEL_TRACES_SAMPLER", z.string().default("parentbased_always_on")).describe(
    "Which traces are sampled: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`, which leaves it to the caller. The gateway never leaves it to a client.",
  ),
  ratio: option("OTEL_TRACES_SAMPLER_ARG", z.string().default("1")).describe(
    "Of the samplers by ratio: the part of the traces that is sampled, such as `0.01`.",
  ),
  exportDelayMs: option("OTEL_BSP_SCHEDULE_DELAY", zMilliseconds.default(5000)).describe(
    "Longest time, in milliseconds, for which a span that has ended waits for others.",
  ),
  queueMax: option("OTEL_BSP_MAX_QUEUE_SIZE", zInteger(1, 1_000_000).default(2048)).describe(
    "Spans that wait at most; what is more is lost, and no call waits for it.",
  ),
  serviceName: option("OTEL_SERVICE_NAME", z.string().optional(), "the process's").describe(
    "`service.name` of its spans, in the namespace `storefront`. With `start` every part keeps its own.",
  ),
  resourceAttributes: option("OTEL_RESOURCE_ATTRIBUTES", zPairs.default({})).describe(
    "Further attributes of the process: `key=value,…`, values percent-encoded.",
  ),
  isDisabled: option(
    "OTEL_SDK_DISABLED",
    z
      .string()
      .regex(/^(?:true|false)$/i, "must be true or false")
      .transform((text) => text.toLowerCase() === "true")
      .default(false),
  ).describe("`true` traces nothing, whatever else is set."),
};

const zOtel = z.object(otelShape);

/** Other values of these are not supported. */
const forms = [
  {
    variable: "OTEL_EXPORTER_OTLP_PROTOCOL",
    form: /^http\/protobuf$/,
    rule: "must be http/protobuf",
  },
  {
    variable: "OTEL_TRACES_SAMPLER",
    form: new RegExp(`^(?:${samplers.join("|")})$`),
    rule: `must be one of ${samplers.join(", ")}`,
  },
  {
    variable: "OTEL_TRACES_SAMPLER_ARG",
    form: /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/,
    rule: "must be a number from 0 to 1",
  },
];

/**
 * Rules over those variables. Platforms set them for all processes, whether these use them or not: they
 * apply only where something is traced.
 */
export const otelRules: readonly EnvironmentRule[] = [
  ...forms.map(({ variable, form, rule }): EnvironmentRule => (given) => {
    const value = given[variable];
    return value !== undefined && isTraced(given) && !form.test(value)
      ? { variable, rule }
      : undefined;
  }),
  (given) => {
    const { OTEL_TRACES_SAMPLER: sampler = "", OTEL_TRACES_SAMPLER_ARG: ratio } = given;
    return ratio !== undefined && isTraced(given) && !sampler.endsWith("traceidratio")
      ? {
          variable: "OTEL_TRACES_SAMPLER_ARG",
          rule: "has no effect without a sampler by ratio in OTEL_TRACES_SAMPLER",
        }
      : undefined;
  },
];

function isTraced(given: Environment): boolean {
  const exporter = given["OTEL_TRACES_EXPORTER"];
  return (
    exporter !== "none" &&
    given["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true" &&
    (exporter ??
      given["OTEL_EXPORTER_OTLP_ENDPOINT"] ??
      given["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) !== undefined
  );
}

function tracingOf({ sampler, ratio, ...options }: Sent) {
  return { ...options, sampler: z.enum(samplers).parse(sampler), ratio: Number(ratio) };
}

/** The options of traces, without their destination. */
type Sent = Omit<
  z.output<typeof zOtel>,
  "endpoint" | "tracesEndpoint" | "exporter" | "protocol" | "isDisabled" | "serviceName"
>;

export const tracingDefaults = tracingOf(zOtel.parse({}));

/** Options of a process's traces; absent ones have their defaults. */
export interface TracingOptions extends Partial<typeof tracingDefaults> {
  /** Destination of spans, by OTLP over HTTP with protobuf: the whole address, such as `http://collector:4318/v1/traces`. */
  url: string;
  /** `service.name` of the spans. */
  serviceName: string;
}

/**
 * The configured tracing; undefined when nothing is traced.
 *
 * @param processName overridden by `OTEL_SERVICE_NAME`
 */
export function tracingSettingsOf(
  config: z.output<typeof zOtel>,
  processName: string,
): TracingOptions | undefined {
  const { endpoint, tracesEndpoint, exporter, isDisabled, protocol: _, ...rest } = config;
  const { serviceName = processName, ...sent } = rest;
  const base = endpoint ?? (exporter === "otlp" ? "http://localhost:4318" : undefined);
  const url = tracesEndpoint ?? (base && `${base}/v1/traces`);
  if (url === undefined || exporter === "none" || isDisabled) return undefined;
  return { ...tracingOf(sent), url, serviceName };
}
