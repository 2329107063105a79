import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { BuildSchema, BuildTechnologySchema } from "@storefront/contracts/catalog/v1/build";
import type { BuildTechnology } from "@storefront/contracts/catalog/v1/build";
import { GetOfferOverviewResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import { distinctTechnologies } from "../domain/distinct-technologies.ts";
import type { BuildStore } from "../store/build-store.ts";
import type { OfferOverviewStore } from "../store/offer-overview-store.ts";
import type { RecordRow } from "../store/record-row.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { offerNotFound } from "./not-found-errors.ts";

const fields = GetOfferOverviewResponseSchema.field;

export function getOfferOverview(deps: {
  overviews: OfferOverviewStore;
  builds: BuildStore;
}): CatalogHandlers["getOfferOverview"] {
  return async ({ offerId }) => {
    const check = new RequestCheck();
    check.identifier("offer_id", offerId);
    check.done();

    const [known, tags, technologies, ratings] = await Promise.all([
      deps.overviews.details(offerId),
      deps.overviews.activeTags(offerId),
      technologiesOf(deps.builds, offerId),
      deps.overviews.ageRatings(offerId),
    ]);
    if (known === undefined) throw offerNotFound(offerId);

    const writer = new EncodedWriter();
    if (known.details !== null) writer.message(fields.details.number, known.details);
    return encoded(
      GetOfferOverviewResponseSchema,
      writer
        .messages(fields.tags.number, recordsOf(tags))
        .messages(
          fields.technologies.number,
          technologies.map((technology) => toBinary(BuildTechnologySchema, technology)),
        )
        .messages(fields.ageRatings.number, recordsOf(ratings))
        .finish(),
    );
  };
}

async function technologiesOf(builds: BuildStore, offerId: string): Promise<BuildTechnology[]> {
  const own = technologiesIn(await builds.newestOfOffer(offerId));
  return own.length > 0 ? own : technologiesIn(await builds.newestOfSandboxOf(offerId));
}

function technologiesIn(builds: readonly RecordRow[]): BuildTechnology[] {
  return distinctTechnologies(
    builds.flatMap(({ record }) => fromBinary(BuildSchema, record).technologies),
  );
}

function recordsOf(rows: readonly RecordRow[]): Uint8Array[] {
  return rows.map(({ record }) => record);
}
