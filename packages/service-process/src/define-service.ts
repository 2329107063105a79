import {
  closeTimeoutOf,
  followedFeeds,
  option,
  otelRules,
  otelShape,
  parseEnvironment,
  portsShapeOf,
  processShape,
  serverTlsRules,
  serverTlsShape,
  serviceVariables,
  tlsFilesOf,
  tracingSettingsOf,
  variablesIn,
  zServiceUrl,
  zTokens,
} from "@storefront/process";
import type { EnvironmentRule, ServerName } from "@storefront/process";
import { databaseShape } from "@storefront/database";
import { z } from "zod";
import { databaseSettingsOf, databaseUrlRule } from "./database-settings.ts";
import type { ServiceDefinition, ServiceSpecification } from "./service-definition.ts";

const zTls = z.object(serverTlsShape);
const zOtel = z.object(otelShape);

/** Defines a service: its specification, and the variables that every service has. */
export function defineService<Shape extends z.ZodRawShape, Name extends ServerName>(
  specification: ServiceSpecification<Shape, Name>,
): ServiceDefinition<Name> {
  const { name, migrations, hasIngest = true, waitsForImports, create } = specification;
  const own = serviceVariables(name);
  const zProcess = z.object({ ...processShape, ...portsShapeOf(name) });
  const zDatabase = z.object({
    ...databaseShape,
    ownUrl: option(own.databaseUrl, z.string().optional(), "`DATABASE_URL`").describe(
      "A database of the service's own.",
    ),
  });
  const zTokensOfIngest = z.object({
    ingestToken: option("INGEST_TOKEN", zTokens.optional(), "required").describe(
      "What ingest asks for, at least 16 characters; several, separated by commas, while one replaces another: services take any, commands send the first. `start` makes one in `DATA_DIR`, where `cli` finds it.",
    ),
    ownToken: option(own.ingestToken, zTokens.optional(), "`INGEST_TOKEN`").describe(
      "A token of the service's own; the commands send it to that service.",
    ),
  });
  const zIngest = hasIngest ? zTokensOfIngest : zTokensOfIngest.pick({});
  const zFollowed = z.object(
    Object.fromEntries(followedFeeds[name].map((other) => [other, zServiceUrl(other)])),
  );
  const zOwn = z.object(specification.shape);
  const schemas = [zProcess, zTls, zOtel, zDatabase, zIngest, zFollowed, zOwn] as const;
  const databaseRules = [
    isRequiredUnless("DATABASE_URL", own.databaseUrl),
    databaseUrlRule(own.databaseUrl),
  ];
  const rules = [
    ...databaseRules,
    ...(hasIngest ? [isRequiredUnless("INGEST_TOKEN", own.ingestToken)] : []),
    ...otelRules,
    ...serverTlsRules,
    ...specification.rules,
  ];

  return {
    name,
    migrations,
    variables: variablesIn(schemas),
    databaseOf: (env) => databaseSettingsOf(...parseEnvironment([zDatabase], env, databaseRules)),
    optionsOf(env) {
      const [process, tls, otel, database, ingest, followed, settings] = parseEnvironment(
        schemas,
        env,
        rules,
      );
      const { ingestToken, ownToken }: z.output<typeof zTokensOfIngest> = ingest;
      return {
        ...process,
        closeTimeoutMs: closeTimeoutOf(process),
        name,
        tls: tlsFilesOf(tls),
        tracing: tracingSettingsOf(otel, name),
        database: databaseSettingsOf(database),
        ingestTokens: ownToken ?? ingestToken ?? [],
        followed,
        create: (dependencies) => create(dependencies, settings),
        waitsForImports,
      };
    },
  };
}

/** The rule that a variable must be set unless the service's own variable is set instead. */
function isRequiredUnless(variable: string, ownVariable: string): EnvironmentRule {
  return (given) =>
    given[variable] === undefined && given[ownVariable] === undefined
      ? { variable, rule: `or ${ownVariable} is required` }
      : undefined;
}
