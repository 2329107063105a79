import { z } from "zod";
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

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/**
 * Variables of traces: those of OpenTelemetry, with its meanings and defaults.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const otelShape = {
  /** Where traces go, less `/v1/traces`; without it, and without the next two, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: zUrl.optional(),
  /** The same as a whole address, which goes before it. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
    .optional(),
  /** `otlp` sends to port 4318 of this machine where no address is given; `none` traces nothing. */
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "must be otlp or none").optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  /** Headers of exports: `key=value`, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS: zPairs.optional(),
  /** Longest time for an export, in milliseconds. */
  OTEL_EXPORTER_OTLP_TIMEOUT: zMilliseconds.default(10_000),
  /** Which traces are sampled. */
  OTEL_TRACES_SAMPLER: z.string().default("parentbased_always_on"),
  /** Of the samplers by ratio: the part of the traces that is sampled, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.string().default("1"),
  /** Longest time, in milliseconds, for which a span that has ended waits for others. */
  OTEL_BSP_SCHEDULE_DELAY: zMilliseconds.default(5000),
  /** Spans that wait at most; what is more is lost. */
  OTEL_BSP_MAX_QUEUE_SIZE: zInteger(1, 1_000_000).default(2048),
  /** Name of the process in its traces; default the service's own. */
  OTEL_SERVICE_NAME: z.string().optional(),
  /** Further attributes of the process: `key=value`, separated by commas. */
  OTEL_RESOURCE_ATTRIBUTES: zPairs.default({}),
  /** `true` traces nothing, whatever else is said. */
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(?:true|false)$/i, "must be true or false")
    .transform((text) => text.toLowerCase() === "true")
    .default(false),
};

const zOtel = z.object(otelShape);

/** Where these have other values, nothing could be traced as they say. */
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
 * What holds between those variables. Platforms set them for all processes alike, whatever these can
 * do with them: they count only where something is traced.
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

/** How a process traces; fits the tracing of the telemetry package. */
export interface TracingSettings {
  url: string;
  headers: Readonly<Record<string, string>>;
  sampler: (typeof samplers)[number];
  ratio: number;
  serviceName: string;
  resourceAttributes: Readonly<Record<string, string>>;
  exportDelayMs: number;
  queueMax: number;
  exportTimeoutMs: number;
}

/**
 * What the variables ask for; undefined when nothing is to be traced.
 *
 * @param serviceName unless `OTEL_SERVICE_NAME` says otherwise
 */
export function tracingSettingsOf(
  config: z.output<typeof zOtel>,
  serviceName: string,
): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: exporter } = config;
  const base = endpoint ?? (exporter === "otlp" ? "http://localhost:4318" : undefined);
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  if (url === undefined || exporter === "none" || config.OTEL_SDK_DISABLED) return undefined;
  return {
    url,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    sampler: z.enum(samplers).parse(config.OTEL_TRACES_SAMPLER),
    ratio: Number(config.OTEL_TRACES_SAMPLER_ARG),
    serviceName: config.OTEL_SERVICE_NAME ?? serviceName,
    resourceAttributes: config.OTEL_RESOURCE_ATTRIBUTES,
    exportDelayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    queueMax: config.OTEL_BSP_MAX_QUEUE_SIZE,
    exportTimeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}
