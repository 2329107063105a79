import {
  byService,
  clientTlsRules,
  clientTlsShape,
  closeTimeoutOf,
  option,
  otelRules,
  otelShape,
  parseEnvironment,
  processShape,
  tlsFilesOf,
  tracingSettingsOf,
  variablesIn,
  zGatewayPort,
  zPort,
  zServiceUrl,
} from "@storefront/process";
import type { Environment, EnvironmentRule } from "@storefront/process";
import { z } from "zod";
import { zGateway } from "./gateway-options.ts";
import { protectionOf, protectionRules, zProtection } from "./protection/environment.ts";
import { zBreaker } from "./upstream/upstream-options.ts";

const zProcess = z.object({
  host: processShape.host,
  logLevel: processShape.logLevel,
  port: zGatewayPort,
  metricsPort: option("METRICS_PORT", zPort.default(4900)).describe(
    "Port of `/metrics`, which is never on `PORT`; 0 lets the system choose. `start` serves it only where this is set.",
  ),
});

const schemas = [
  zProcess,
  z.object(byService(zServiceUrl)),
  zGateway,
  zBreaker,
  zProtection,
  z.object(clientTlsShape),
  z.object(otelShape),
] as const;

/** Schemas of the gateway's environment variables, by their names. */
export const gatewayVariables = variablesIn(schemas);

function timeOf(variable: string, given: Environment): number {
  const zTime = gatewayVariables.get(variable);
  return Number(given[variable] ?? (zTime && z.parse(zTime, undefined)));
}

/** The rule that a time must not be shorter than another one, which is a part of it. */
function outlasts(variable: string, shorter: string): EnvironmentRule {
  return (given) =>
    timeOf(variable, given) < timeOf(shorter, given)
      ? { variable, rule: `must not be shorter than ${shorter}` }
      : undefined;
}

const timeRules = [
  // Otherwise the connection would be cut before the request's own limit.
  outlasts("STALL_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ANSWER_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ARRIVAL_TIMEOUT_MS", "HEADERS_TIMEOUT_MS"),
];

/** Only stored responses have tags. */
const tagRule: EnvironmentRule = (given) =>
  given["CDN_TAG_HEADER"] !== undefined && Number(given["RESPONSE_CACHE_MIB"] ?? 1) === 0
    ? { variable: "CDN_TAG_HEADER", rule: "has no effect with RESPONSE_CACHE_MIB=0" }
    : undefined;

/** What a process of the gateway runs with. @throws ConfigError naming all that is wrong. */
export function gatewaySettingsOf(env: Environment) {
  const rules = [...timeRules, tagRule, ...otelRules, ...clientTlsRules, ...protectionRules];
  const [process, serviceUrls, options, breaker, protection, tls, otel] = parseEnvironment(
    schemas,
    env,
    rules,
  );
  return {
    ...process,
    closeTimeoutMs: closeTimeoutOf(options),
    /** Undefined traces nothing. */
    tracing: tracingSettingsOf(otel, "gateway"),
    /** For services that speak TLS; undefined where no variable is about it. */
    tlsFiles: tlsFilesOf(tls),
    gateway: { ...options, serviceUrls, breaker, protection: protectionOf(protection) },
  };
}
