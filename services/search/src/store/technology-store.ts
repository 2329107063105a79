import type { Transaction } from "@storefront/database";

/** Offers whose technologies may come from these items or builds. */
export async function offersMadeWith(
  tx: Transaction,
  refs: { itemIds: readonly string[]; buildIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.read<{ id: string }>(
    `with item as (
      select id, namespace, is_executable from search.source_item where id = any($1::text[])
      union
      select item.id, item.namespace, item.is_executable
      from search.source_build as build
      join search.source_item as item on item.app_ids @> array[build.app_name]
      where build.id = any($2::text[]) and build.app_name is not null
    )
    select offer.id from item
    join search.source_offer as offer on offer.item_ids @> array[item.id]
    union
    select offer.id
    from (select distinct namespace from item where is_executable) as own
    join search.source_offer as offer on offer.namespace = own.namespace`,
    [refs.itemIds, refs.buildIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Computes the technologies of offers: those of the newest build of each application of their items, or if there are
 * none, of the executables of their sandbox.
 *
 * @returns ids of the offers whose technologies changed
 */
export async function updateTechnologies(
  tx: Transaction,
  offerIds: readonly string[],
): Promise<string[]> {
  if (offerIds.length === 0) return [];
  const { rows } = await tx.write<{ id: string }>(
    `with affected as materialized (
      select id, namespace, item_ids, technologies from search.source_offer
      where id = any($1::text[])
    ),
    own as (
      select offer.id, ${technologiesFrom("item.id = any(offer.item_ids)")} as names
      from affected as offer
    ),
    present as (
      select offer.id, offer.technologies as before, case when own.names <> '{}' then own.names
        else ${technologiesFrom("item.namespace = offer.namespace and item.is_executable")}
        end as names
      from affected as offer join own using (id)
    )
    update search.source_offer as offer set technologies = present.names
    from present
    where present.id = offer.id and present.names <> present.before
    returning offer.id`,
    [offerIds],
  );
  return rows.map(({ id }) => id);
}

/** Ordered, so that equal sets are equal arrays. */
function technologiesFrom(itemCondition: string): string {
  return `array(
    select distinct technology
    from (
      select distinct unnest(item.app_ids) as name
      from search.source_item as item where ${itemCondition}
    ) as app
    cross join lateral (
      select technologies from search.source_build
      where app_name = app.name
      order by updated_at_ms desc nulls last, id
      limit 1
    ) as newest
    cross join unnest(newest.technologies) as technology
    order by technology
  )`;
}
