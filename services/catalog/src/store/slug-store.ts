import type { Queryable } from "@storefront/database";

/** The offer that a slug finds. */
export interface SluggedOfferRow {
  slug: string;
  id: string;
  namespace: string | null;
}

/** Finds offers by slugs. */
export interface SlugStore {
  /** The offer with the earliest `creation_date` for each slug that finds any, by slug. */
  resolve(slugs: readonly string[]): Promise<Map<string, SluggedOfferRow>>;
}

const resolveSlugs = {
  name: "catalog.resolveSlugs",
  text: `
    select wanted.slug, found.id, found.namespace
    from unnest($1::text[]) as wanted(slug)
    cross join lateral (
      select id, namespace
      from catalog.offer
      where slug_keys @> array[wanted.slug]
      order by creation_date nulls last, id
      limit 1
    ) as found`,
};

export function createSlugStore(database: Queryable): SlugStore {
  return {
    async resolve(slugs) {
      const rows = await database.read<SluggedOfferRow>(resolveSlugs, [[...new Set(slugs)]]);
      return new Map(rows.map((row) => [row.slug, row]));
    },
  };
}
