import type { Catalogue } from "./catalogue.ts";
import type { Expected, Model } from "./model.ts";
import { byCodePoint, newestFirst } from "./order.ts";
import type { BuildRecord, ItemRecord, OfferRecord } from "./records.ts";

type Technology = NonNullable<BuildRecord["technologies"]>[number];

/** Countries with a rating system other than PEGI and Generic. */
const ownSystems: Record<string, string> = {
  US: "ESRB",
  CA: "ESRB",
  MX: "ESRB",
  DE: "USK",
  JP: "CERO",
  AU: "ACB",
  BR: "ClassInd",
  KR: "GRAC",
};
const pegi =
  "AD AL AT BE BG CH CY CZ DK EE ES FI FR GB GR HR HU IE IL IS IT LT LU LV MT NL NO PL PT RO SE SI SK";

/** What `getOfferOverview` returns, written from docs/api alone. */
export function overviewOf(
  catalogue: Catalogue,
  model: Model,
  { id, country, locale }: { id: string; country: string; locale: string },
): Expected {
  const whole = model.getOffer(id, country, locale);
  const record = catalogue.offer.get(id);
  if (whole.status !== 200 || record === undefined) return { status: 404 };
  const { price, ...offer } = whole.body as Record<string, unknown> & { price: unknown };
  const shown = offer["tags"] as OfferRecord["tags"];
  const details = catalogue.offerDetails.get(id);
  const system = ownSystems[country] ?? (pegi.includes(country) ? "PEGI" : "Generic");
  const rating = catalogue.ageRating.get(`${record.namespace} ${system}`);
  const namesOf = (group: string) =>
    tagsOf(catalogue, record, shown, group).map(({ name }) => name);
  return {
    status: 200,
    body: {
      offer,
      price,
      media: details?.media,
      extdb: details?.extdb,
      polls: details?.polls,
      genres: tagsOf(catalogue, record, shown, "genre"),
      features: { features: namesOf("feature"), epicFeatures: namesOf("epicfeature") },
      ageRating:
        rating === undefined
          ? null
          : { [system]: { ...rating, namespace: undefined, ratingSystem: undefined } },
      giveaways: newestFirst(
        [...catalogue.giveaway.values()].filter(({ offerId }) => offerId === id),
        ({ startDate }) => startDate,
        (giveaway) => giveaway.id,
      ).map((giveaway) => ({
        ...giveaway,
        title: giveaway.title ?? record.title,
        namespace: giveaway.namespace ?? record.namespace,
      })),
      technologies: technologiesOf(catalogue, record),
    },
  };
}

function tagsOf(
  catalogue: Catalogue,
  record: OfferRecord,
  shown: OfferRecord["tags"],
  group: string,
): { id: string; name: string }[] {
  return [...new Set(record.tags?.map(({ id }) => id))].flatMap((id) => {
    const tag = catalogue.tag.get(id);
    if (tag?.status !== "ACTIVE" || tag.groupName !== group) return [];
    const named = [...(shown ?? []), ...(record.tags ?? []), tag].find(
      ({ id: other, name }) => other === id && typeof name === "string",
    );
    return [{ id, name: named?.name ?? id }];
  });
}

function technologiesOf(catalogue: Catalogue, { namespace, items }: OfferRecord): Technology[] {
  const own = (items ?? []).flatMap(({ id }) => catalogue.item.get(id) ?? []);
  const ofItems = technologiesIn(catalogue, own);
  if (ofItems.length > 0) return ofItems;
  const executables = [...catalogue.item.values()].filter(
    (item) => item.namespace === namespace && item.entitlementType === "EXECUTABLE",
  );
  return technologiesIn(catalogue, executables);
}

/** Technologies of the newest build of each application, by section and name, those without a section last. */
function technologiesIn(catalogue: Catalogue, items: readonly ItemRecord[]): Technology[] {
  const apps = new Set(items.flatMap(({ releaseInfo }) => releaseInfo ?? []).map(appOf));
  const found = new Map<string, Technology>();
  for (const app of apps) {
    const [newest] = newestFirst(
      [...catalogue.build.values()].filter(({ appName }) => appName === app && app !== ""),
      ({ updatedAt }) => updatedAt,
      ({ id }) => id,
    );
    for (const { section = null, technology } of newest?.technologies ?? []) {
      if (typeof technology !== "string") continue;
      found.set(`${section === null ? "1" : `0${section}`}\u0000${technology}`, {
        section,
        technology,
      });
    }
  }
  return [...found].toSorted(([a], [b]) => byCodePoint(a, b)).map(([, technology]) => technology);
}

function appOf({ appId }: { appId?: string | null | undefined }): string {
  return appId ?? "";
}
