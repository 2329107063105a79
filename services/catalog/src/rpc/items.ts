import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import {
  BatchGetItemsResponseSchema,
  GetItemOfferResponseSchema,
  GetItemResponseSchema,
  ItemBuildSchema,
  ListItemBuildsResponseSchema,
  ListItemsRequestSchema,
  ListItemsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Queryable } from "@storefront/database";
import { asLocale } from "@storefront/domain/identifiers";
import { encodedOf, EncodedWriter, notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import { sizesByApplication } from "../domain/asset-sizes.ts";
import type { SizedAsset } from "../domain/asset-sizes.ts";
import { viewBuilds } from "../domain/item-builds.ts";
import { inOrder, recordsOf, toPage } from "./handlers.ts";
import type { ListRow, OfferRow, RecordRow, CatalogHandlers } from "./handlers.ts";

const maxBuilds = 1_000;

export function itemHandlers(database: Queryable) {
  const findItem = async (itemId: string) => {
    const row = await database.readOne<ItemRow>(getItem, [itemId]);
    if (row === undefined) throw itemNotFound(itemId);
    return row;
  };
  return {
    async listItems(request) {
      const { pageSize, offset } = pageOf(ListItemsRequestSchema, request);
      const page = toPage(await database.read<ListRow>(listAllItems, [pageSize, offset]));
      return encodedOf(ListItemsResponseSchema, {
        items: recordsOf(page.rows),
        totalSize: page.totalSize,
      });
    },

    async getItem({ itemId }) {
      return encodedOf(GetItemResponseSchema, { item: (await findItem(itemId)).record });
    },

    async batchGetItems({ itemIds }) {
      const rows = await database.read<RecordRow & { id: string }>(listItems, [itemIds]);
      return encodedOf(BatchGetItemsResponseSchema, { items: recordsOf(inOrder(itemIds, rows)) });
    },

    async getItemOffer({ itemId, locale }) {
      const parameters = [itemId, asLocale(locale), itemOfferTypes];
      const row = await database.readOne<OfferRow>(offerOfItem, parameters);
      if (row === undefined) throw itemWithoutOffer(itemId);
      return encodedOf(GetItemOfferResponseSchema, { offer: row.record, text: row.text });
    },

    async listItemBuilds({ itemId }) {
      const item = await findItem(itemId);
      const [rows, assets] = await Promise.all([
        database.read<RecordRow>(newestBuilds, [item.app_ids, maxBuilds]),
        sizesOf(database, item.app_ids),
      ]);
      const views = viewBuilds(
        rows.map(({ record }) => fromBinary(BuildSchema, record)),
        sizesByApplication(assets, item.namespace ?? undefined),
      );
      const builds = rows.map(({ record }, index) => {
        const view = toBinary(ItemBuildSchema, create(ItemBuildSchema, views[index]));
        return new EncodedWriter()
          .message(ItemBuildSchema.field.build.number, record)
          .raw(view)
          .finish();
      });
      return encodedOf(ListItemBuildsResponseSchema, { builds, item: item.record });
    },
  } satisfies CatalogHandlers;
}

function itemNotFound(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_NOT_FOUND, "no item has this id", { itemId });
}

function itemWithoutOffer(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_WITHOUT_OFFER, "no offer holds this item", { itemId });
}

/** An item with what its builds are looked up by. */
interface ItemRow extends RecordRow {
  namespace: string | null;
  app_ids: string[];
}

const getItem = {
  name: "catalog.getItem",
  text: "select record, namespace, app_ids from catalog.item where id = $1",
};

const listItems = {
  name: "catalog.listItems",
  text: "select id, record from catalog.item where id = any($1)",
};

// Newest `last_modified_date` first. The rows to skip are read from the index alone; only those of the
// page are fetched.
const listAllItems = {
  name: "catalog.listAllItems",
  text: `
    select item_count.count as total, item.record
    from catalog.item_count
    left join catalog.item on item.id = any(array(
      select id
      from catalog.item
      order by last_modified_date desc nulls last, id
      limit $1 offset $2
    ))
    order by item.last_modified_date desc nulls last, item.id`,
};

/** The newest builds of some applications, all applications in one order. */
const newestBuilds = {
  name: "catalog.newestBuilds",
  text: `
    select record
    from catalog.build
    where app_name = any($1)
    order by updated_at desc nulls last, id
    limit $2`,
};

const sizesOfAssets = {
  name: "catalog.sizesOfAssets",
  text: `
    select artifact_id, platform, namespace, download_size_bytes, installed_size_bytes
    from catalog.asset
    where artifact_id = any($1)`,
};

interface SizesRow {
  artifact_id: string;
  platform: string;
  namespace: string;
  download_size_bytes: bigint | null;
  installed_size_bytes: bigint | null;
}

/** Sizes of every asset of these applications. */
async function sizesOf(database: Queryable, artifactIds: readonly string[]): Promise<SizedAsset[]> {
  const rows = await database.read<SizesRow>(sizesOfAssets, [artifactIds]);
  return rows.map((row) => ({
    artifactId: row.artifact_id,
    platform: row.platform,
    namespace: row.namespace,
    downloadSizeBytes: row.download_size_bytes ?? undefined,
    installedSizeBytes: row.installed_size_bytes ?? undefined,
  }));
}

/**
 * Offer types from the best to represent an item to the worst; every other
 * type, and a missing one, comes after them.
 */
const itemOfferTypes: readonly string[] = [
  "BASE_GAME",
  "DLC",
  "ADD_ON",
  "EDITION",
  "BUNDLE",
  "CONSUMABLE",
];

// $3 is `itemOfferTypes`.
const offerOfItem = {
  name: "catalog.offerOfItem",
  text: `
    select best.record, text.record as text
    from (
      select id, record
      from catalog.offer
      where item_ids @> array[$1::text]
      order by pre_purchase, array_position($3::text[], offer_type), creation_date nulls last, id
      limit 1
    ) as best
    left join catalog.offer_text as text on text.offer_id = best.id and text.locale = $2`,
};
