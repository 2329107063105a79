import type { z } from "zod";
import { ConfigError } from "./environment.ts";
import type { Environment, EnvironmentProblem, EnvironmentRule } from "./environment.ts";
import { readSecretFiles } from "./secret-files.ts";

/** What each schema of a list makes of the environment. */
type Outputs<Schemas extends readonly z.ZodObject[]> = {
  [Index in keyof Schemas]: z.output<Schemas[Index]>;
};

/**
 * Reads typed configuration out of environment variables.
 *
 * The keys of the schemas are the variables' names. A variable that is set to the empty string counts
 * as absent, so that `PORT= pnpm start` means the default. A secret may be given by `<NAME>_FILE`.
 *
 * @param rules what holds between several variables
 * @returns what each schema gives
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
  const results = schemas.map((zSchema) => zSchema.safeParse(given));
  const isKnown = (variable: string) => schemas.some(({ shape }) => variable in shape);
  const found = [
    ...problems.filter(({ variable }) => isKnown(variable.replace(/_FILE$/, ""))),
    ...results.flatMap(({ error }) => error?.issues ?? []).map((issue) => problemOf(issue, given)),
    ...rules.flatMap((rule) => rule(given) ?? []),
  ];
  if (found.length > 0) throw new ConfigError(found);
  return results.map(({ data }) => data) as Outputs<Schemas>;
}

function problemOf(issue: z.core.$ZodIssue, given: Environment): EnvironmentProblem {
  const variable = issue.path.join(".") || "environment";
  // zod says "expected string, received undefined" about a variable that is not there.
  if (given[variable] === undefined) return { variable, rule: "is required" };
  const isSentence = issue.message.startsWith("must ");
  return { variable, rule: isSentence ? issue.message : `is wrong (${issue.message})` };
}
