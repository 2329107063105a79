import type { Queryable, Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import type { OfferText } from "../embedder/embedder.ts";

/** Remembers the texts of stored offers, and when they changed; gives the ids of those that did. */
export async function storeTextDigests(
  tx: Transaction,
  texts: readonly OfferText[],
): Promise<string[]> {
  if (texts.length === 0) return [];
  const { rows } = await tx.write<{ id: string }>(
    `update search.source_offer as offer
      set text_digest = given.digest, text_version = nextval('search.embedding_version')
      from unnest($1::text[], $2::bytea[]) as given(id, digest)
      where offer.id = given.id and offer.text_digest is distinct from given.digest
      returning offer.id`,
    [texts.map(({ offerId }) => offerId), texts.map(digestOf)],
  );
  return rows.map(({ id }) => id);
}

/** A moment of the texts' history: every text that changes later has a higher version. */
export async function markTexts(tx: Transaction): Promise<bigint> {
  const row = await tx.readOne<{ version: bigint }>(
    "select nextval('search.embedding_version') as version",
  );
  if (row === undefined) throw new Error("a sequence gives a number");
  return row.version;
}

/** Ids of offers whose text has not changed since a moment, after a given one, ascending. */
export async function listUnchangedSince(
  queryable: Queryable,
  moment: bigint,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await queryable.read<{ id: string }>(
    `select id from search.source_offer
      where id > $1 and coalesce(text_version, 0) < $2 order by id limit $3`,
    [after, moment, limit],
  );
  return rows.map(({ id }) => id);
}

function digestOf(text: OfferText): Buffer {
  return createHash("sha256").update(JSON.stringify(text)).digest();
}
