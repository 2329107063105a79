/** Which of a generation's two sets of vectors: one answers while the other is made anew. */
export type VectorSet = 0 | 1;

/** Vectors that compare: those of one set, made with what an embedder learned once. */
export interface VectorSpace {
  readonly set: VectorSet;
  /** Number of the training; 0 of an embedder that does not learn. */
  readonly training: bigint;
}

/** The vectors of an embedder that does not learn. */
export const untrainedSpace: VectorSpace = { set: 0, training: 0n };

/** Vectors that are made alike: a text has one of each kind, in however many generations. */
export interface VectorKind {
  /** Of the generations that have them: engine, format and embedding model. */
  readonly signature: string;
  /** As in {@link VectorSpace}. */
  readonly training: bigint;
}
