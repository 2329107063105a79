import { z } from "zod";
import type { EnvironmentRule } from "./environment.ts";
import { zMilliseconds, zUrl, zWholeNumber } from "./values.ts";

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
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(["http/protobuf"], "must be http/protobuf").optional(),
  /** Headers of exports: `key=value`, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS: zPairs.optional(),
  /** Longest time for an export, in milliseconds. */
  OTEL_EXPORTER_OTLP_TIMEOUT: zMilliseconds.default(10_000),
  /** Which traces are sampled. */
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(", ")}`)
    .default("parentbased_always_on"),
  /** Of the samplers by ratio: the part of the traces that is sampled, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
  /** Longest time, in milliseconds, for which a span that has ended waits for others. */
  OTEL_BSP_SCHEDULE_DELAY: zMilliseconds.default(5000),
  /** Spans that wait at most; what is more is lost. */
  OTEL_BSP_MAX_QUEUE_SIZE: zWholeNumber({ min: 1, max: 1_000_000 }).default(2048),
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

const exporting = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_TRACES_EXPORTER",
];

const needExporter = [
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
  "OTEL_BSP_SCHEDULE_DELAY",
  "OTEL_BSP_MAX_QUEUE_SIZE",
];

/** What holds between those variables. Name and attributes may be set for all processes alike. */
export const otelRules: readonly EnvironmentRule[] = [
  ...needExporter.map(
    (variable): EnvironmentRule =>
      (given) =>
        given[variable] !== undefined && !exporting.some((name) => given[name] !== undefined)
          ? { variable, rule: "has no effect without OTEL_EXPORTER_OTLP_ENDPOINT" }
          : undefined,
  ),
  ({ OTEL_TRACES_SAMPLER = "", OTEL_TRACES_SAMPLER_ARG }) =>
    OTEL_TRACES_SAMPLER_ARG !== undefined && !OTEL_TRACES_SAMPLER.endsWith("traceidratio")
      ? {
          variable: "OTEL_TRACES_SAMPLER_ARG",
          rule: "has no effect without a sampler by ratio in OTEL_TRACES_SAMPLER",
        }
      : undefined,
];

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
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    serviceName: config.OTEL_SERVICE_NAME ?? serviceName,
    resourceAttributes: config.OTEL_RESOURCE_ATTRIBUTES,
    exportDelayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    queueMax: config.OTEL_BSP_MAX_QUEUE_SIZE,
    exportTimeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}
