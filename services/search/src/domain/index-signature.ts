/** How an index was made; an index with another signature must be rebuilt. */
interface IndexMaking {
  /** Name of the engine, without spaces. */
  readonly engine: string;
  /** Format of its documents. */
  readonly format: number;
  /** Model of its vectors; undefined when it has none. */
  readonly model: string | undefined;
}

/** The signature as text, stored with a generation: the model of its vectors never changes. */
export function indexSignature({ engine, format, model }: IndexMaking): string {
  return [engine, format, model ?? "none"].join(" ");
}

/** The model of an index with this signature; undefined without vectors. */
export function modelOf(signature: string): string | undefined {
  const model = signature.split(" ").slice(2).join(" ");
  return model === "none" || model === "" ? undefined : model;
}
