/** The environment does not satisfy the schema; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** Names of the variables that are wrong, in the schema's order. */
  readonly variables: readonly string[];

  constructor(message: string, variables: readonly string[]) {
    super(message);
    this.variables = variables;
  }
}
