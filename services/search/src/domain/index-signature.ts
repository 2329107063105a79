/** What an index was made with; one that was made otherwise has to be rebuilt. */
export interface IndexMaking {
  /** Name of the engine, without a blank. */
  readonly engine: string;
  /** Of its documents. */
  readonly format: number;
  /** Of its vectors; undefined when it has none. */
  readonly model: string | undefined;
}

/** The same as one text, as it is stored with a generation: its vectors are this model's for ever. */
export function indexSignature({ engine, format, model }: IndexMaking): string {
  return [engine, format, model ?? "none"].join(" ");
}

/** The model of an index with this signature; undefined when it has no vectors. */
export function modelOf(signature: string): string | undefined {
  const model = signature.split(" ").slice(2).join(" ");
  return model === "none" || model === "" ? undefined : model;
}
