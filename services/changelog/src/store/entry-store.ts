import type { Queryable } from "@storefront/database";

/** Which entries; a missing member does not restrict. */
export interface EntryFilter {
  readonly scope?: { readonly kind: "sandbox" | "item"; readonly key: string } | undefined;
  readonly contextType?: string | undefined;
  readonly contextId?: string | undefined;
}

/** Some elements of a list. */
export interface Range {
  readonly offset: number;
  readonly pageSize: number;
}

/** A page of serialized entries, with the exact number of entries on all pages. */
export interface EntryPage {
  readonly entries: Uint8Array[];
  readonly totalSize: bigint;
}

interface PageRow {
  total: bigint;
  entry: Uint8Array | null;
}

// In each, the page is found in an index before its entries are read, and the total is of the same
// snapshot. Totals of whole lists are kept; those of one context are counted: a record has few entries.
const listAll = pageStatement({
  name: "changelog.listAll",
  total: "coalesce((select entries from changelog.scope where kind = 'all'), 0)",
  page: "select id, observed_at from changelog.entry",
  firstParameter: 1,
});
const listOfType = pageStatement({
  name: "changelog.listOfType",
  total: "coalesce((select entries from changelog.scope where kind = 'type' and key = $1), 0)",
  page: "select id, observed_at from changelog.entry where context_type = $1",
  firstParameter: 2,
});
const listOfContext = pageStatement({
  name: "changelog.listOfContext",
  total: `(select count(*) from changelog.entry
    where context_id = $1 and ($2::text is null or context_type = $2))`,
  page: `select id, observed_at from changelog.entry
    where context_id = $1 and ($2::text is null or context_type = $2)`,
  firstParameter: 3,
});
const listOfScope = pageStatement({
  name: "changelog.listOfScope",
  total: "coalesce((select entries from changelog.scope where kind = $1 and key = $2), 0)",
  page: `select id, observed_at from changelog.scope_entry
    where scope = (select id from changelog.scope where kind = $1 and key = $2)`,
  firstParameter: 3,
});
const scopedContext = `
  from changelog.scope_entry as listed
  join changelog.entry as wanted on wanted.id = listed.id
  where listed.scope = (select id from changelog.scope where kind = $1 and key = $2)
    and ($3::text is null or wanted.context_type = $3)
    and ($4::text is null or wanted.context_id = $4)`;
const listOfScopedContext = pageStatement({
  name: "changelog.listOfScopedContext",
  total: `(select count(*) ${scopedContext})`,
  page: `select listed.id, listed.observed_at ${scopedContext}`,
  order: "listed.observed_at desc, listed.id",
  firstParameter: 5,
});

const getMany = {
  name: "changelog.getEntries",
  text: `
    select entry.entry
    from unnest($1::text[]) with ordinality as wanted(id, place)
    join changelog.entry on entry.id = wanted.id
    order by wanted.place`,
};

export class EntryStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Entries newest first, ties by id ascending. */
  async list(filter: EntryFilter, { offset, pageSize }: Range): Promise<EntryPage> {
    const { statement, parameters } = listOf(filter);
    const rows = await this.#database.read<PageRow>(statement, [...parameters, pageSize, offset]);
    return {
      entries: rows.flatMap(({ entry }) => entry ?? []),
      totalSize: rows[0]?.total ?? 0n,
    };
  }

  /** The known ones of these, in the order asked for. */
  async getMany(ids: readonly string[]): Promise<Uint8Array[]> {
    const rows = await this.#database.read<{ entry: Uint8Array }>(getMany, [ids]);
    return rows.map(({ entry }) => entry);
  }
}

function listOf({ scope, ...context }: EntryFilter) {
  const { contextType = null, contextId = null } = context;
  const isRestricted = contextType !== null || contextId !== null;
  if (scope !== undefined) {
    return isRestricted
      ? {
          statement: listOfScopedContext,
          parameters: [scope.kind, scope.key, contextType, contextId],
        }
      : { statement: listOfScope, parameters: [scope.kind, scope.key] };
  }
  if (contextId !== null) return { statement: listOfContext, parameters: [contextId, contextType] };
  return contextType === null
    ? { statement: listAll, parameters: [] }
    : { statement: listOfType, parameters: [contextType] };
}

/** A page of what `page` selects, with `total` in every row; one row without entry when it is empty. */
function pageStatement(parts: {
  name: string;
  total: string;
  page: string;
  firstParameter: number;
  order?: string;
}): { name: string; text: string } {
  const { name, total, page, firstParameter, order = "observed_at desc, id" } = parts;
  return {
    name,
    text: `
      select counted.total, shown.entry
      from (select (${total})::int8 as total) as counted
      left join (
        select entry.entry, entry.observed_at, entry.id
        from (
          ${page}
          order by ${order}
          limit $${firstParameter} offset $${firstParameter + 1}
        ) as page
        join changelog.entry on entry.id = page.id
      ) as shown on true
      order by shown.observed_at desc, shown.id`,
  };
}
