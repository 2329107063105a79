import type { EnvironmentProblem } from "./environment.ts";

/** The environment does not satisfy the schema; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** What is wrong: of each variable the first thing. */
  readonly problems: readonly EnvironmentProblem[];

  /** Of several problems with one variable the first counts; with a secret, those with its file. */
  constructor(problems: readonly EnvironmentProblem[]) {
    const rules = new Map<string, string>();
    for (const { variable, rule } of problems) {
      if (!rules.has(variable) && !rules.has(`${variable}_FILE`)) rules.set(variable, rule);
    }
    const listed = [...rules].map(([variable, rule]) => `${variable} ${rule}`).join("; ");
    super(`Wrong configuration: ${listed}.`);
    this.problems = [...rules].map(([variable, rule]) => ({ variable, rule }));
  }

  /** Names of the variables that are wrong, in the order of the schemas. */
  get variables(): readonly string[] {
    return this.problems.map(({ variable }) => variable);
  }
}
