import type { z } from "zod";
import { ConfigError } from "./config-error.ts";

/** Environment variables as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads typed configuration out of environment variables.
 *
 * `zSchema` is an object schema whose keys are the variables' names. A variable that is set to the
 * empty string counts as absent, so that `PORT= pnpm start` means the default.
 *
 * @throws ConfigError naming every wrong variable and the rule it breaks, in one sentence.
 */
export function parseEnvironment<Schema extends z.ZodObject>(
  zSchema: Schema,
  env: Environment,
): z.output<Schema> {
  const present = Object.entries(env).filter(([, value]) => value !== undefined && value !== "");
  const result = zSchema.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;

  const rules = new Map<string, string>();
  for (const issue of result.error.issues) {
    const variable = issue.path.join(".") || "environment";
    if (!rules.has(variable)) rules.set(variable, ruleOf(issue.message, env[variable]));
  }
  const listed = [...rules].map(([variable, rule]) => `${variable} ${rule}`).join("; ");
  throw new ConfigError(`Wrong configuration: ${listed}.`, [...rules.keys()]);
}

// zod says "expected string, received undefined" about a variable that is not there.
function ruleOf(message: string, value: string | undefined): string {
  if (value === undefined || value === "") return "is required";
  return message.startsWith("must ") ? message : `is wrong (${message})`;
}
