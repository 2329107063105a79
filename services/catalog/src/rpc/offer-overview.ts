import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BuildSchema, BuildTechnologySchema } from "@storefront/contracts/catalog/v1/build";
import type { BuildTechnology } from "@storefront/contracts/catalog/v1/build";
import {
  GetOfferOverviewResponseSchema,
  ListTagsResponseSchema,
  OfferOverviewSourcesSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf } from "@storefront/rpc";
import { distinctTechnologies } from "../domain/distinct-technologies.ts";
import { recordsOf, offerNotFound } from "./handlers.ts";
import type { CatalogHandlers, RecordRow } from "./handlers.ts";
import type { Queryable } from "@storefront/database";

export function offerOverviewHandlers(database: Queryable) {
  return {
    async getOfferOverview({ offerId }) {
      const [known, tags, { technologies, ...looked }, ratings] = await Promise.all([
        database.readOne<OverviewRow>(findOverview, [offerId]),
        database.read<RecordRow>(activeTags, [offerId]),
        technologiesOf(database, offerId),
        database.read<RecordRow>(ageRatings, [offerId]),
      ]);
      if (known === undefined) throw offerNotFound(offerId);

      const sources = create(OfferOverviewSourcesSchema, {
        namespace: known.namespace ?? "",
        tagIds: known.tag_ids,
        itemIds: known.item_ids,
        ...looked,
      });
      return encodedOf(GetOfferOverviewResponseSchema, {
        details: known.details,
        tags: recordsOf(tags),
        technologies: technologies.map((technology) => toBinary(BuildTechnologySchema, technology)),
        ageRatings: recordsOf(ratings),
        sources: toBinary(OfferOverviewSourcesSchema, sources),
      });
    },

    async listTags() {
      const rows = await database.read<RecordRow>(listTags);
      return encodedOf(ListTagsResponseSchema, { tags: recordsOf(rows) });
    },
  } satisfies CatalogHandlers;
}

/** Technologies and where they were looked for. */
interface FoundTechnologies {
  technologies: BuildTechnology[];
  appNames: string[];
  includesExecutables: boolean;
}

async function technologiesOf(database: Queryable, offerId: string): Promise<FoundTechnologies> {
  const own = await database.read<AppRow>(appsOfOffer, [offerId]);
  const technologies = technologiesIn(own);
  if (technologies.length > 0) {
    return { technologies, appNames: appNamesOf(own), includesExecutables: false };
  }
  const apps = await database.read<AppRow>(appsOfSandboxOf, [offerId]);
  return {
    technologies: technologiesIn(apps),
    appNames: appNamesOf([...own, ...apps]),
    includesExecutables: true,
  };
}

function technologiesIn(apps: readonly AppRow[]): BuildTechnology[] {
  return distinctTechnologies(
    apps.flatMap(({ record }) =>
      record === null ? [] : fromBinary(BuildSchema, record).technologies,
    ),
  );
}

function appNamesOf(apps: readonly AppRow[]): string[] {
  return [...new Set(apps.map(({ app_name: name }) => name))];
}

/** An offer's part of its overview, and what leads to the rest of it. */
interface OverviewRow {
  /** Media, external database entry and polls, null when nothing is known. */
  details: Uint8Array | null;
  namespace: string | null;
  tag_ids: string[];
  item_ids: string[];
}

const findOverview = {
  name: "catalog.findOverview",
  text: `
    select details.record as details, offer.namespace, offer.tag_ids, offer.item_ids
    from catalog.offer
    left join catalog.offer_details as details on details.offer_id = offer.id
    where offer.id = $1`,
};

/** The ACTIVE tags of an offer, in its order. */
const activeTags = {
  name: "catalog.activeTagsOfOffer",
  text: `
    select tag.record
    from catalog.offer
    cross join unnest(offer.tag_ids) with ordinality as named(id, place)
    join catalog.tag on tag.id = named.id
    where offer.id = $1 and tag.status = 'ACTIVE'
    order by named.place`,
};

/** The ratings of an offer's sandbox. */
const ageRatings = {
  name: "catalog.ageRatingsOfOffer",
  text: `
    select age_rating.record
    from catalog.offer
    join catalog.age_rating on age_rating.namespace = offer.namespace
    where offer.id = $1
    order by age_rating.rating_system`,
};

const listTags = { name: "catalog.listTags", text: "select record from catalog.tag order by id" };

/** An application and its newest build, null when there is none. */
interface AppRow {
  app_name: string;
  record: Uint8Array | null;
}

/** The applications of an offer's items. */
const appsOfOffer = {
  name: "catalog.appsOfOffer",
  text: appsWithNewestBuild(
    "from catalog.offer join catalog.item on item.id = any(offer.item_ids)",
  ),
};

/** The applications of the executables of an offer's sandbox. */
const appsOfSandboxOf = {
  name: "catalog.appsOfSandboxOf",
  text: appsWithNewestBuild(
    `from catalog.offer join catalog.item
      on item.namespace = offer.namespace and item.entitlement_type = 'EXECUTABLE'`,
  ),
};

function appsWithNewestBuild(fromItems: string): string {
  return `
    select app.name as app_name, newest.record
    from (select distinct unnest(item.app_ids) as name ${fromItems} where offer.id = $1) as app
    left join lateral (
      select record
      from catalog.build
      where app_name = app.name
      order by updated_at desc nulls last, id
      limit 1
    ) as newest on true`;
}
