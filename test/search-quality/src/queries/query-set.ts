/** What somebody asks for, and what tells that an offer is meant. */
export interface ConceptQuery {
  readonly text: string;
  /** An offer with any of these tags is what was asked for; the text says it in other words. */
  readonly tags: readonly string[];
}

/** Queries of a set. In templates `{title}` and `{maker}` stand for names that a catalogue has. */
export interface QuerySet {
  /** In words that people use, not those of the tags; for generated catalogues. */
  readonly generated: readonly ConceptQuery[];
  /** Likewise for the real one. */
  readonly real: readonly ConceptQuery[];
  /** Meant are others with the genres of the named offer. */
  readonly likeTitle: readonly string[];
  /** Meant is what the named developer or publisher made. */
  readonly byMaker: readonly string[];
  /** Meant is what the named publisher made and has the tag. Generated catalogues only. */
  readonly madeAndMeant: readonly { readonly text: string; readonly tag: string }[];
}
