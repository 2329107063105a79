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
import type { AppRow, BuildStore } from "../store/build-store.ts";
import type { OfferOverviewStore } from "../store/offer-overview-store.ts";
import { recordsOf } from "../store/rows.ts";
import { offerNotFound } from "./handlers.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function offerOverviewHandlers(deps: { overviews: OfferOverviewStore; builds: BuildStore }) {
  return {
    async getOfferOverview({ offerId }) {
      const [known, tags, { technologies, ...looked }, ratings] = await Promise.all([
        deps.overviews.find(offerId),
        deps.overviews.activeTags(offerId),
        technologiesOf(deps.builds, offerId),
        deps.overviews.ageRatings(offerId),
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
      return encodedOf(ListTagsResponseSchema, { tags: recordsOf(await deps.overviews.allTags()) });
    },
  } satisfies CatalogHandlers;
}

/** Technologies and where they were looked for. */
interface FoundTechnologies {
  technologies: BuildTechnology[];
  appNames: string[];
  includesExecutables: boolean;
}

async function technologiesOf(builds: BuildStore, offerId: string): Promise<FoundTechnologies> {
  const own = await builds.appsOfOffer(offerId);
  const technologies = technologiesIn(own);
  if (technologies.length > 0) {
    return { technologies, appNames: appNamesOf(own), includesExecutables: false };
  }
  const apps = await builds.appsOfSandboxOf(offerId);
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
