import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ConfigError,
  otelRules,
  otelShape,
  parseEnvironment,
  tracingSettingsOf,
} from "../index.ts";
import type { Environment } from "../index.ts";

function settingsOf(env: Environment) {
  const [config] = parseEnvironment([z.object(otelShape)], env, otelRules);
  return tracingSettingsOf(config, "catalog");
}

function wrongIn(env: Environment): readonly string[] {
  try {
    settingsOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.variables;
  }
  return [];
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

describe("traces", () => {
  it.each([
    ["no variable is set", {}],
    ["they have only a name", { OTEL_SERVICE_NAME: "shop" }],
    ["the exporter is none", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
    [
      "they have no address, whatever other variables a platform sets",
      {
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_HEADERS: "a=b",
        OTEL_TRACES_SAMPLER: "jaeger_remote",
        OTEL_TRACES_SAMPLER_ARG: "endpoint=http://jaeger:14250",
      },
    ],
    ["the SDK is disabled", { ...endpoint, OTEL_SDK_DISABLED: "TRUE" }],
  ])("are off when %s", (_case, env) => {
    expect(settingsOf(env)).toBeUndefined();
  });

  it("are sent to the address of the variables, with OpenTelemetry's defaults", () => {
    expect(settingsOf(endpoint)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      sampler: "parentbased_always_on",
      ratio: 1,
      serviceName: "catalog",
      resourceAttributes: {},
      exportDelayMs: 5000,
      queueMax: 2048,
      exportTimeoutMs: 10_000,
    });
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in" };
    expect(settingsOf({ ...endpoint, ...traces })?.url).toBe("https://traces.example/in");
    expect(settingsOf({ OTEL_TRACES_EXPORTER: "otlp" })?.url).toBe(
      "http://localhost:4318/v1/traces",
    );
  });

  it("have the configured sampler, name, attributes and headers", () => {
    expect(
      settingsOf({
        ...endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a, x-tenant = 1",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.01",
        OTEL_SERVICE_NAME: "shop-catalog",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,k8s.pod.name=catalog-1",
      }),
    ).toMatchObject({
      headers: { authorization: "Bearer a", "x-tenant": "1" },
      sampler: "parentbased_traceidratio",
      ratio: 0.01,
      serviceName: "shop-catalog",
      resourceAttributes: {
        "deployment.environment.name": "prod",
        "k8s.pod.name": "catalog-1",
      },
    });
  });
});

it.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
  ["OTEL_EXPORTER_OTLP_HEADERS", { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "a secret" }],
  ["OTEL_RESOURCE_ATTRIBUTES", { OTEL_RESOURCE_ATTRIBUTES: "a=%zz" }],
  ["OTEL_TRACES_SAMPLER", { ...endpoint, OTEL_TRACES_SAMPLER: "jaeger_remote" }],
  ["OTEL_TRACES_SAMPLER_ARG", { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "0.5" }],
  [
    "OTEL_TRACES_SAMPLER_ARG",
    { ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1.5" },
  ],
  ["OTEL_SDK_DISABLED", { OTEL_SDK_DISABLED: "yes" }],
])("rejects %s when it is wrong or has no effect", (variable, env) => {
  expect(wrongIn(env)).toEqual([variable]);
});
