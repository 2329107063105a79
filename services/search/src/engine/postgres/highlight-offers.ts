import type { Queryable } from "@storefront/database";
import { highlightsOf } from "../../domain/highlights.ts";
import type { Highlights } from "../../domain/highlights.ts";
import { readOfferRecords } from "../../store/source-offer-store.ts";
import type { WantedChunk } from "../text-match.ts";
import { Turns } from "./turns.ts";
import { findMatches, wantedWords } from "../../domain/find-matches.ts";

/** Code units read between two turns of others: some milliseconds. */
const readAtOnce = 20_000;

/**
 * What chunks of a text match in the titles and descriptions of offers, by id. The index holds words only, so the texts
 * are those of the stored records, which are written in the same transaction.
 */
export async function highlightOffers(
  queryable: Queryable,
  offerIds: readonly string[],
  chunks: readonly WantedChunk[],
): Promise<Map<string, Highlights>> {
  const wanted = wantedWords(chunks);
  const turns = new Turns(readAtOnce);
  const highlights = new Map<string, Highlights>();
  const matched = (text: string, joinsNeighbours: boolean) => ({
    text,
    matches: findMatches(text, wanted, { joinsNeighbours }),
  });
  for (const offer of await readOfferRecords(queryable, offerIds)) {
    const { id, title = "", description = "" } = offer;
    highlights.set(
      id,
      highlightsOf({ title: matched(title, true), description: matched(description, false) }),
    );
    await turns.after(title.length + description.length);
  }
  return highlights;
}
