import { readFileSync } from "node:fs";
import { ConfigError } from "./environment.ts";
import type { Environment, EnvironmentProblem } from "./environment.ts";

/** Ends of the names of variables that hold secrets; addresses may hold passwords. */
const secretName =
  /^(?:API_KEYS|REDIS_URL|OTEL_EXPORTER_OTLP_HEADERS|(?:\w+_)?(?:DATABASE_URL|INGEST_TOKEN)|(?:TYPESENSE|TYPESENSE_SEARCH|EMBEDDING)_API_KEY|(?:FASTLY|CLOUDFLARE)_API_TOKEN)$/;

/** Whether a variable holds a secret, so that `<NAME>_FILE` may name a file that holds it instead. */
export function isSecret(variable: string): boolean {
  return secretName.test(variable);
}

/** An environment whose secrets are all at hand, and why some of them could not be read. */
export interface ReadSecrets {
  environment: Environment;
  problems: readonly EnvironmentProblem[];
}

/**
 * Reads each secret that is given as `<NAME>_FILE` from that file, without the line end that editors
 * leave there.
 */
export function readSecretFiles(env: Environment): ReadSecrets {
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
 * An environment whose secrets are all at hand.
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
