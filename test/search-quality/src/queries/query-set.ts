/** A query for a concept, and the tags of relevant offers. */
export interface ConceptQuery {
  readonly text: string;
  /** An offer with any of these tags is relevant; the text uses other words. */
  readonly tags: readonly string[];
}

/** Queries of a set. In templates `{title}` and `{maker}` stand for names that a catalogue has. */
export interface QuerySet {
  /** In words that people use, not those of the tags; for generated catalogues. */
  readonly generated: readonly ConceptQuery[];
  /** Likewise for the real one. */
  readonly real: readonly ConceptQuery[];
  /** Relevant are others with the genres of the named offer. */
  readonly likeTitle: readonly string[];
  /** Relevant are offers of the named developer or publisher. */
  readonly byMaker: readonly string[];
  /** Relevant are offers of the named maker with the tag. Generated catalogues only. */
  readonly madeAndMeant: readonly { readonly text: string; readonly tag: string }[];
}
