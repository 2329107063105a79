import {
  GetSandboxResponseSchema,
  ListSandboxAssetsRequestSchema,
  ListSandboxAssetsResponseSchema,
  ListSandboxOffersRequestSchema,
  ListSandboxOffersResponseSchema,
  ListSandboxesRequestSchema,
  ListSandboxesResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Queryable } from "@storefront/database";
import { asLocale } from "@storefront/domain/identifiers";
import { encodedOf, notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import { recordsOf, textsOf, toPage, toPart, idRangeOf } from "./handlers.ts";
import type { CatalogHandlers, ListRow, RecordRow } from "./handlers.ts";
import { foldCase } from "../domain/fold-case.ts";

export function sandboxHandlers(database: Queryable) {
  return {
    async getSandbox({ sandboxId }) {
      const row = await database.readOne<RecordRow>(getSandbox, [sandboxId]);
      if (row === undefined) throw sandboxNotFound(sandboxId);
      return encodedOf(GetSandboxResponseSchema, { sandbox: row.record });
    },

    async listSandboxes(request) {
      const { afterId, pageSize, changedSince } = idRangeOf(ListSandboxesRequestSchema, request);
      const parameters = [afterId, pageSize + 1, changedSince ?? null];
      const found = await database.read<RecordRow>(listSandboxes, parameters);
      const { rows, hasMore } = toPart(found, pageSize);
      return encodedOf(ListSandboxesResponseSchema, {
        sandboxes: recordsOf(rows),
        hasMore: Number(hasMore),
      });
    },

    async listSandboxAssets(request) {
      const { sandboxId, platforms } = request;
      const { pageSize, offset } = pageOf(ListSandboxAssetsRequestSchema, request);
      const parameters = [sandboxId, pageSize, offset, platforms.map(foldCase)];
      const rows = await database.read<ListRow & KnownRow>(listAssets, parameters);
      if (rows[0]?.known !== true) throw sandboxNotFound(sandboxId);
      const page = toPage(rows);
      return encodedOf(ListSandboxAssetsResponseSchema, {
        assets: recordsOf(page.rows),
        totalSize: page.totalSize,
      });
    },

    async listSandboxOffers(request) {
      const { sandboxId, offerTypes, title } = request;
      const { pageSize, offset } = pageOf(ListSandboxOffersRequestSchema, request);
      const parameters = [sandboxId, asLocale(request.locale), pageSize, offset];
      const rows =
        offerTypes.length === 0 && title === ""
          ? await database.read<OfferListRow>(listOffers, parameters)
          : await database.read<OfferListRow>(listFilteredOffers, [
              ...parameters,
              offerTypes,
              foldCase(title),
            ]);
      if (rows[0]?.known !== true) throw sandboxNotFound(sandboxId);
      const page = toPage(rows);
      return encodedOf(ListSandboxOffersResponseSchema, {
        offers: recordsOf(page.rows),
        texts: textsOf(page.rows),
        totalSize: page.totalSize,
      });
    },
  } satisfies CatalogHandlers;
}

function sandboxNotFound(sandboxId: string): ServiceError {
  return notFound(ErrorReason.SANDBOX_NOT_FOUND, "no sandbox has this id", { sandboxId });
}

interface KnownRow {
  /** Whether a sandbox has this id. */
  known: boolean;
}

interface OfferListRow extends ListRow, KnownRow {
  text: Uint8Array | null;
}

const getSandbox = {
  name: "catalog.getSandbox",
  text: "select record from catalog.sandbox where id = $1",
};

const listSandboxes = {
  name: "catalog.listSandboxes",
  text: `
    select record
    from catalog.sandbox
    where id > $1 and ($3::timestamptz is null or changed_at >= $3)
    order by id
    limit $2`,
};

const listOffers = {
  name: "catalog.listSandboxOffers",
  text: listStatement("namespace = $1"),
};

const listFilteredOffers = {
  name: "catalog.listSandboxOffersFiltered",
  text: listStatement(`namespace = $1
    and (cardinality($5::text[]) = 0 or offer_type = any($5::text[]))
    and ($6::text = '' or strpos(title_folded, $6::text) > 0)`),
};

const assetCondition = `
  namespace = $1 and (cardinality($4::text[]) = 0 or platform_folded = any($4::text[]))`;

// One row per asset of the page, or one without an asset; newest `updated_at` first.
const listAssets = {
  name: "catalog.listSandboxAssets",
  text: `
    select sandbox.known, counted.total, page.record
    from (select exists (select from catalog.sandbox where id = $1) as known) as sandbox
    cross join (select count(*) as total from catalog.asset where ${assetCondition}) as counted
    left join (
      select artifact_id, platform, updated_at, record
      from catalog.asset
      where ${assetCondition}
      order by updated_at desc nulls last, artifact_id, platform
      limit $2 offset $3
    ) as page on true
    order by page.updated_at desc nulls last, page.artifact_id, page.platform`,
};

// One row per offer of the page, or one without an offer: whether the sandbox is known, and the
// total, are part of one round trip. The offers to skip are read from the index alone.
function listStatement(condition: string): string {
  return `
    select sandbox.known, counted.total, offer.record, text.record as text
    from (select exists (select from catalog.sandbox where id = $1) as known) as sandbox
    cross join (select count(*) as total from catalog.offer where ${condition}) as counted
    left join catalog.offer on offer.id = any(array(
      select id
      from catalog.offer
      where ${condition}
      order by last_modified_date desc nulls last, id
      limit $3 offset $4
    ))
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    order by offer.last_modified_date desc nulls last, offer.id`;
}
