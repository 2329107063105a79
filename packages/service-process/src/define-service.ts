import {
  defaultPorts,
  defaultUrlOf,
  followedFeeds,
  otelRules,
  otelShape,
  parseEnvironment,
  processOptionsOf,
  processShape,
  serverTlsRules,
  serverTlsShape,
  serviceVariables,
  tlsFilesOf,
  tracingSettingsOf,
  zPort,
  zTokens,
  zUrl,
} from "@storefront/process";
import type { EnvironmentRule, ServiceName } from "@storefront/process";
import { z } from "zod";
import { databaseSettingsOf, databaseShape, databaseUrlRule } from "./database-settings.ts";
import type { ServiceDefinition, ServiceSpecification } from "./service-definition.ts";

const zCommon = z.object({
  ...processShape,
  ...otelShape,
  ...serverTlsShape,
  /** What ingest asks for; needed unless the service has a token of its own. */
  INGEST_TOKEN: zTokens.optional(),
});

/** Defines a service: what it says of itself, and the variables that every service has. */
export function defineService<Shape extends z.ZodRawShape>(
  specification: ServiceSpecification<Shape>,
): ServiceDefinition {
  const { name, migrations, indexes, create } = specification;
  const follows = followedFeeds[name];
  const { port, grpcPort, databaseUrl, ingestToken } = serviceVariables(name);
  const zPorts = z.object({
    [port]: zPort.default(defaultPorts[name].port),
    [grpcPort]: zPort.default(defaultPorts[name].grpcPort),
  });
  const zDatabase = z.object({ ...databaseShape, [databaseUrl]: z.string().optional() });
  const zToken = z.object({ [ingestToken]: zTokens.optional() });
  const zFollowed = urlsOf(follows);
  const zOwn = z.object(specification.shape);
  const schemas = [zCommon, zPorts, zDatabase, zToken, zFollowed, zOwn] as const;
  const databaseRules = [
    isRequiredUnless("DATABASE_URL", databaseUrl),
    databaseUrlRule(databaseUrl),
  ];
  const ownRules = [...databaseRules, isRequiredUnless("INGEST_TOKEN", ingestToken)];

  return {
    name,
    migrations,
    shape: Object.assign({}, ...schemas.map(({ shape }) => shape)),
    databaseOf(env) {
      const [database] = parseEnvironment([zDatabase], env, databaseRules);
      return databaseSettingsOf(database, databaseUrl);
    },
    optionsOf(env) {
      const rules = [...ownRules, ...otelRules, ...serverTlsRules, ...specification.rules];
      const [common, ports, database, token, urls, own] = parseEnvironment(schemas, env, rules);
      return {
        ...processOptionsOf(common),
        name,
        port: ports[port] ?? defaultPorts[name].port,
        grpcPort: ports[grpcPort] ?? defaultPorts[name].grpcPort,
        logLevel: common.LOG_LEVEL,
        tracing: tracingSettingsOf(common, name),
        tlsFiles: tlsFilesOf(common),
        tlsClientAuth: common.TLS_CLIENT_AUTH,
        database: databaseSettingsOf(database, databaseUrl),
        ingestTokens: token[ingestToken] ?? common.INGEST_TOKEN ?? [],
        followed: new Map(
          follows.map((other) => [other, urls[serviceVariables(other).url] ?? defaultUrlOf(other)]),
        ),
        create: (dependencies) => create(dependencies, own),
        indexes,
      };
    },
  };
}

/** Base URLs of the Connect ports of the services that are followed. */
function urlsOf(services: readonly ServiceName[]) {
  return z.object(
    Object.fromEntries(
      services.map((name) => [serviceVariables(name).url, zUrl.default(defaultUrlOf(name))]),
    ),
  );
}

/** The rule that a variable must be set unless the service has one of its own in its place. */
function isRequiredUnless(variable: string, ownVariable: string): EnvironmentRule {
  return (given) =>
    given[variable] === undefined && given[ownVariable] === undefined
      ? { variable, rule: `or ${ownVariable} is required` }
      : undefined;
}
