import type { Region } from "@storefront/domain/identifiers";
import { regions } from "@storefront/domain/regions";
import { integerColumns } from "../../domain/column-names.ts";
import type { VectorSet } from "../index-documents.ts";

/** Names of a generation's tables. */
interface GenerationTables {
  /** One narrow row per offer, for filters, orders and counts. */
  readonly offer: string;
  /** One row per offer with its words, for text searches. */
  readonly text: string;
  /** For release 0.2.0, which alone writes and reads prices there: see {@link pricesIn}. */
  readonly price: string;
  readonly entry: string;
  readonly vectors: Readonly<Record<VectorSet, string>>;
}

export function tablesOf(generation: number): GenerationTables {
  const prefix = `search.g${generation}`;
  return {
    offer: `${prefix}_offer`,
    text: `${prefix}_text`,
    price: `${prefix}_price`,
    entry: `${prefix}_entry`,
    vectors: { 0: `${prefix}_vector_0`, 1: `${prefix}_vector_1` },
  };
}

/** Partitions of the regions that release 0.2.0 knows. */
const partitionOf = new Map(
  regions.map(({ region }) => [region, region.toLowerCase().replaceAll(/[^a-z0-9]/g, "_")]),
);

/**
 * The prices of a region, shared by all generations, as a table of a query; undefined for what is no code of a region.
 * The first regions have a partition each, others share one.
 */
export function pricesIn(region: Region): string | undefined {
  return /^[A-Z0-9]{1,16}$/.test(region)
    ? `(select * from search.price where region = '${region}') as price`
    : undefined;
}

/**
 * Size in KiB of a GIN index's pending list: many rows have the same words, and single insertions cost three times as
 * much. Searches read the list too, in a millisecond or two.
 */
const pending = "gin_pending_list_limit = 1024";

/** Statements that create the tables of a generation. */
export function createTables(generation: number): string {
  const { offer, text, price, entry, vectors } = tablesOf(generation);
  const integers = [...integerColumns.values()].map((column) => `${column} int8`);
  return `
    create table ${offer} (
      number int primary key,
      offer_id text collate "C" not null,
      terms int[] not null,
      facets int[] not null,
      tag_ids int[] not null,
      has_giveaway boolean not null,
      ${integers.join(", ")}
    );
    create index on ${offer} using gin (terms) with (${pending});
    create table ${text} (
      number int primary key,
      title_key text collate "C" not null,
      words tsvector not null
    );
    create index on ${text} using gin (words) with (${pending});
    create table ${price} (
      region text collate "C" not null,
      number int not null,
      original int8 not null,
      discounted int8 not null,
      updated_at int8,
      is_lowest boolean not null,
      primary key (number, region)
    );
    ${pricesFor020(generation).join("\n")}
    create table ${entry} (
      entry_id text collate "C" primary key,
      timestamp_ms int8 not null,
      context_type text collate "C" not null,
      context_id text collate "C" not null,
      words tsvector not null
    );
    create index on ${entry} (timestamp_ms desc, entry_id);
    create index on ${entry} (context_id, timestamp_ms desc, entry_id);
    create index on ${entry} using gin (words) with (${pending});
    ${Object.values(vectors).map(createVectorTable).join("\n")}
    select search.note_generation(${generation});`;
}

/** For release 0.2.0: views of each region's prices where it reads those of a generation. */
function pricesFor020(generation: number): string[] {
  const { price } = tablesOf(generation);
  const columns = "number, original, discounted, updated_at, is_lowest";
  return [...partitionOf].map(
    ([region, partition]) => `create view ${price}_${partition} as
      select region, ${columns} from search.price_${partition}
        where original is not null and not (select search.is_020_ahead())
      union all
      select region collate "C", ${columns} from search.prices_of_020(${generation}, '${region}')
        where (select search.is_020_ahead());`,
  );
}

function createVectorTable(table: string): string {
  return `
    create table ${table} (
      number int primary key,
      version int8 not null,
      vector bytea
    );
    create index on ${table} (version);`;
}

/** Statements that drop the existing tables of a generation. */
export function dropTables(generation: number): string {
  const { vectors, ...tables } = tablesOf(generation);
  const names = [...Object.values(tables), ...Object.values(vectors)];
  const views = [...partitionOf.values()].map((partition) => `${tables.price}_${partition}`);
  // First tables, for release 0.2.0: its tables have partitions instead of views.
  return `drop table if exists ${names.join(", ")}; drop view if exists ${views.join(", ")}`;
}

/** In the statement's own transaction: behind a pooler the role may have other limits. */
export const unlimited = "set local statement_timeout = 0; set local lock_timeout = 0";
