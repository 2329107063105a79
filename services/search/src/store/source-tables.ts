import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import { snakeCase } from "../domain/column-names.ts";

export interface SourceOffer {
  readonly id: string;
  readonly namespace: string | undefined;
  readonly itemIds: readonly string[];
  /** storefront.catalog.v1.Offer without the fields that search does not use. */
  readonly record: Uint8Array;
}

export interface SourceItem {
  readonly id: string;
  readonly namespace: string | undefined;
  readonly isExecutable: boolean;
  readonly appIds: readonly string[];
}

export interface SourceBuild {
  readonly id: string;
  readonly appName: string | undefined;
  readonly updatedAtMs: number | undefined;
  /** Names without duplicates. */
  readonly technologies: readonly string[];
}

export interface SourceGiveaway {
  readonly id: string;
  readonly offerId: string | undefined;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
}

export interface SourceReview {
  readonly id: string;
  readonly offerId: string;
  /** Above 0, at most 10. */
  readonly rating: number;
}

export interface SourceEntry {
  readonly id: string;
  readonly timestampMs: number;
  readonly contextType: string;
  readonly contextId: string;
  /** Words of the changes. */
  readonly words: string;
}

/** SQL types of a table's columns, which are named as the members in snake case. */
type ColumnTypes<Source> = Readonly<Record<keyof Source & string, string>>;

/** A table of one kind of records, by id. */
interface SourceTable<Source> {
  readonly name: string;
  readonly columns: ColumnTypes<Source>;
}

/** The table also has technologies and text digests. */
export const offerTable: SourceTable<SourceOffer> = {
  name: "search.source_offer",
  columns: { id: "text", namespace: "text", itemIds: "text[]", record: "bytea" },
};

export const itemTable: SourceTable<SourceItem> = {
  name: "search.source_item",
  columns: { id: "text", namespace: "text", isExecutable: "boolean", appIds: "text[]" },
};

export const buildTable: SourceTable<SourceBuild> = {
  name: "search.source_build",
  columns: { id: "text", appName: "text", updatedAtMs: "int8", technologies: "text[]" },
};

export const giveawayTable: SourceTable<SourceGiveaway> = {
  name: "search.source_giveaway",
  columns: { id: "text", offerId: "text", startMs: "int8", endMs: "int8" },
};

export const reviewTable: SourceTable<SourceReview> = {
  name: "search.source_review",
  columns: { id: "text", offerId: "text", rating: "float8" },
};

export const entryTable: SourceTable<SourceEntry> = {
  name: "search.source_entry",
  columns: {
    id: "text",
    timestampMs: "int8",
    contextType: "text",
    contextId: "text",
    words: "text",
  },
};

/** Stores current records, and deletes removed ones. */
export async function storeSources<Source extends object>(
  tx: Transaction,
  { name: table, columns }: SourceTable<Source>,
  sources: readonly Source[],
  removedIds: readonly string[],
): Promise<void> {
  const types = Object.entries<string>(columns);
  await bulkUpsert(
    tx,
    {
      table,
      keyColumns: ["id"],
      columns: types.map(([member, type]) => ({ name: snakeCase(member), type })),
    },
    sources.map((source) =>
      Object.fromEntries(
        Object.entries(source).map(([member, value]) => [snakeCase(member), value]),
      ),
    ),
  );
  await bulkDelete(
    tx,
    { table, keyColumns: [{ name: "id", type: "text" }] },
    removedIds.map((id) => ({ id })),
  );
}
