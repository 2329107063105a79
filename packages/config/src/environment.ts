/** Environment variables as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with one variable. */
export interface EnvironmentProblem {
  variable: string;
  /** The rest of a sentence that begins with the variable's name; never holds its value. */
  rule: string;
}

/** A rule over several variables; what it is given holds only those that are set. */
export type EnvironmentRule = (given: Environment) => EnvironmentProblem | undefined;

/** The rule that a variable may be set only where another one is, since it has no effect without. */
export function hasNoEffectWithout(variable: string, needed: string): EnvironmentRule {
  return (given) =>
    given[variable] !== undefined && given[needed] === undefined
      ? { variable, rule: `has no effect without ${needed}` }
      : undefined;
}

/** The rule that a variable must be set where another one is. */
export function isRequiredWith(variable: string, other: string): EnvironmentRule {
  return (given) =>
    given[other] !== undefined && given[variable] === undefined
      ? { variable, rule: `is required with ${other}` }
      : undefined;
}

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
