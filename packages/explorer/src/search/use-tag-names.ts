import { useRef } from "react";
import type { PricedOffer } from "../api/types.ts";

/** Ids of tags and their names, both ways. */
export interface TagNames {
  nameOf: (id: string) => string | undefined;
  idOf: (name: string) => string | undefined;
}

/**
 * The tags of the offers that were seen up to now. Counts of tags are by name, filters by id, and
 * the offers themselves have both.
 */
export function useTagNames(offers: readonly Pick<PricedOffer, "tags">[]): TagNames {
  const names = useRef(new Map<string, string>());
  const ids = useRef(new Map<string, string>());
  for (const { id, name } of offers.flatMap(({ tags }) => tags)) {
    if (name === null) continue;
    names.current.set(id, name);
    ids.current.set(name, id);
  }
  return {
    nameOf: (id) => names.current.get(id),
    idOf: (name) => ids.current.get(name),
  };
}
