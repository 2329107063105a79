import { readFileSync } from "node:fs";
import { z } from "zod";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The schema of an option that a variable sets. Its description becomes the variable's row in
 * `docs/configuration.md`.
 *
 * @param defaultText the default in words, if the schema has none that is a text or a number
 */
export function option<Schema extends z.ZodType>(
  variable: string,
  schema: Schema,
  defaultText?: string,
): Schema {
  return schema.meta({ variable, defaultText });
}

/** Schemas of variables by the variables' names. */
export function variablesIn(schemas: readonly z.ZodObject[]): ReadonlyMap<string, z.core.$ZodType> {
  return new Map(
    schemas.flatMap(({ shape }) =>
      Object.entries(shape).map(([name, schema]) => [variableOf(name, schema), schema] as const),
    ),
  );
}

/** The variable of an option; for any other schema, the variable of its own name. */
function variableOf(name: string, schema: z.core.$ZodType): string {
  const variable = z.globalRegistry.get(schema)?.["variable"];
  return typeof variable === "string" ? variable : name;
}

/** A problem with one variable. */
export interface EnvironmentProblem {
  variable: string;
  /** The rest of a sentence that begins with the variable's name; never contains its value. */
  rule: string;
}

/** A rule over several variables; it gets only those that are set. */
export type EnvironmentRule = (given: Environment) => EnvironmentProblem | undefined;

/** The rule that a variable may be set only together with one of others, since it has no effect without. */
export function hasNoEffectWithout(variable: string, ...needed: string[]): EnvironmentRule {
  return (given) =>
    given[variable] !== undefined && needed.every((name) => given[name] === undefined)
      ? { variable, rule: `has no effect without ${needed.join(" or ")}` }
      : undefined;
}

/** The rule that a variable must be set if another one is. */
export function isRequiredWith(variable: string, other: string): EnvironmentRule {
  return (given) =>
    given[other] !== undefined && given[variable] === undefined
      ? { variable, rule: `is required with ${other}` }
      : undefined;
}

/** The environment does not satisfy the schema; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** The first problem of each variable. */
  readonly problems: readonly EnvironmentProblem[];

  /** Of several problems with one variable the first counts; for a secret, those with its file. */
  constructor(problems: readonly EnvironmentProblem[]) {
    const rules = new Map<string, string>();
    for (const { variable, rule } of problems) {
      if (!rules.has(variable) && !rules.has(`${variable}_FILE`)) rules.set(variable, rule);
    }
    const listed = [...rules].map(([variable, rule]) => `${variable} ${rule}`).join("; ");
    super(`Wrong configuration: ${listed}.`);
    this.problems = [...rules].map(([variable, rule]) => ({ variable, rule }));
  }

  /** Names of the wrong variables, in the order of the schemas. */
  get variables(): readonly string[] {
    return this.problems.map(({ variable }) => variable);
  }
}

/** Suffixes of variables with secrets; addresses may contain passwords. */
const secretName =
  /^(?:API_KEYS|REDIS_URL|OTEL_EXPORTER_OTLP_HEADERS|(?:\w+_)?(?:DATABASE_URL|INGEST_TOKEN)|INGEST_HTTP_TOKEN|ADMIN_TOKEN|(?:TYPESENSE|TYPESENSE_SEARCH|EMBEDDING)_API_KEY|(?:FASTLY|CLOUDFLARE)_API_TOKEN)$/;

/** Whether a variable is a secret, so that `<NAME>_FILE` may name a file with its value instead. */
export function isSecret(variable: string): boolean {
  return secretName.test(variable);
}

/**
 * Reads each secret that is set as `<NAME>_FILE` from that file, without a trailing line end; a problem for
 * each that cannot be read.
 */
function readSecretFiles(env: Environment) {
  const environment: Record<string, string | undefined> = { ...env };
  const problems: EnvironmentProblem[] = [];
  for (const [fileVariable, path] of Object.entries(env)) {
    const variable = fileVariable.replace(/_FILE$/, "");
    if (!path || variable === fileVariable || !isSecret(variable)) continue;
    if (env[variable]) {
      problems.push({ variable: fileVariable, rule: `must not be set beside ${variable}` });
      continue;
    }
    delete environment[fileVariable];
    try {
      environment[variable] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      problems.push({ variable: fileVariable, rule: `names a file that ${reasonOf(error)}` });
    }
  }
  return { environment, problems };
}

/**
 * An environment with the secrets of its files.
 *
 * @throws ConfigError when one of their files cannot be read
 */
export function withSecretsRead(env: Environment): Environment {
  const { environment, problems } = readSecretFiles(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return environment;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "does not exist";
  return code === "EACCES" ? "may not be read" : "cannot be read";
}

/** The output of each schema of a list. */
type Outputs<Schemas extends readonly z.ZodObject[]> = {
  [Index in keyof Schemas]: z.output<Schemas[Index]>;
};

/**
 * Reads typed configuration from environment variables.
 *
 * The variables are those of {@link variablesIn}. One that is set to the empty string counts as absent,
 * so that `PORT= pnpm start` means the default. A secret may be set by `<NAME>_FILE`.
 *
 * @param rules over several variables
 * @returns the output of each schema
 * @throws ConfigError naming every wrong variable and the rule it breaks, in one sentence
 */
export function parseEnvironment<const Schemas extends readonly z.ZodObject[]>(
  schemas: Schemas,
  env: Environment,
  rules: readonly EnvironmentRule[] = [],
): Outputs<Schemas> {
  const { environment, problems } = readSecretFiles(env);
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const results = schemas.map(({ shape }) =>
    Object.entries(shape).map(([name, schema]) => {
      const variable = variableOf(name, schema);
      return { name, variable, ...z.safeParse(schema, given[variable]) };
    }),
  );
  const all = results.flat();
  const found = [
    ...problems.filter((problem) =>
      all.some(({ variable }) => problem.variable === `${variable}_FILE`),
    ),
    ...all.flatMap(({ variable, error }) =>
      (error?.issues ?? []).map((issue) => problemOf(variable, issue, given)),
    ),
    ...rules.flatMap((rule) => rule(given) ?? []),
  ];
  if (found.length > 0) throw new ConfigError(found);
  const valuesOf = (result: typeof all) =>
    Object.fromEntries(result.map(({ name, data }) => [name, data]));
  return results.map(valuesOf) as Outputs<Schemas>;
}

function problemOf(
  variable: string,
  issue: z.core.$ZodIssue,
  given: Environment,
): EnvironmentProblem {
  // zod's text for a missing variable is "expected string, received undefined".
  if (given[variable] === undefined) return { variable, rule: "is required" };
  const isSentence = issue.message.startsWith("must ");
  return { variable, rule: isSentence ? issue.message : `is wrong (${issue.message})` };
}
