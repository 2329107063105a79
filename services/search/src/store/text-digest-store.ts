import type { Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import type { OfferText } from "../embedder/embedder.ts";

/** Remembers the texts of stored offers; gives the ids of those that are not what they were. */
export async function noteTexts(tx: Transaction, texts: readonly OfferText[]): Promise<string[]> {
  if (texts.length === 0) return [];
  const { rows } = await tx.write<{ id: string }>(
    `update search.source_offer as offer
      set text_digest = told.digest
      from unnest($1::text[], $2::bytea[]) as told(id, digest)
      where offer.id = told.id and offer.text_digest is distinct from told.digest
      returning offer.id`,
    [texts.map(({ offerId }) => offerId), texts.map(digestOf)],
  );
  return rows.map(({ id }) => id);
}

function digestOf(text: OfferText): Buffer {
  return createHash("sha256").update(JSON.stringify(text)).digest();
}
