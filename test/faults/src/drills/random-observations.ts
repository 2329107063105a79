import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { PricingObservationSchema } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { Seeded } from "@storefront/testkit";

export type CatalogObservation = MessageInitShape<typeof CatalogObservationSchema>;
export type PricingObservation = MessageInitShape<typeof PricingObservationSchema>;

/** Number of records of each kind, which are written repeatedly. */
const population = 40;

const priced = [
  { region: "US", currencyCode: "USD" },
  { region: "EURO", currencyCode: "EUR" },
] as const;

/** A state of one of a few records, or its deletion. */
export function catalogObservation(random: Seeded, observedAt: Timestamp): CatalogObservation {
  const operation =
    random.number() < 0.1 ? ObservationOperation.DELETE : ObservationOperation.UPSERT;
  const record = catalogRecord(random, `Title ${random.below(1000)}`);
  return { operation, observedAt, record };
}

/** One of a few records, with the given title, or version for a build. */
export function catalogRecord(random: Seeded, title: string) {
  const any = (count: number) => random.below(count);
  const number = any(population);
  const namespace = `space-${any(5)}`;
  const records = [
    {
      case: "offer",
      value: {
        id: `offer-${number}`,
        namespace,
        title,
        items: [{ id: `item-${any(population)}`, namespace }],
      },
    },
    {
      case: "item",
      value: {
        id: `item-${number}`,
        namespace,
        title,
        releaseInfo: [{ id: "1", appId: `app-${any(10)}` }],
      },
    },
    {
      case: "asset",
      value: { artifactId: `app-${any(10)}`, platform: "Windows", namespace, title },
    },
    {
      case: "build",
      value: { id: `build-${number}`, appName: `app-${any(10)}`, buildVersion: title },
    },
    { case: "sandbox", value: { id: namespace, title } },
  ] as const satisfies NonNullable<CatalogObservation["record"]>[];
  return random.pick(records);
}

/** A price or a giveaway of one of a few offers, or its deletion. */
export function pricingObservation(random: Seeded, observedAt: Timestamp): PricingObservation {
  const operation =
    random.number() < 0.1 ? ObservationOperation.DELETE : ObservationOperation.UPSERT;
  if (random.chance(0.9)) {
    return { operation, observedAt, record: { case: "price", value: offerPrice(random) } };
  }
  const number = random.below(population);
  const giveaway = { id: `giveaway-${number}`, offerId: `offer-${number}`, endDate: observedAt };
  return { operation, observedAt, record: { case: "giveaway", value: giveaway } };
}

/** A price of one of a few offers. */
export function offerPrice(random: Seeded) {
  const any = (count: number) => random.below(count);
  const originalPrice = BigInt(1000 + any(5000));
  const { region, currencyCode } = priced[any(priced.length)] ?? priced[0];
  const discountPrice = originalPrice - BigInt(any(900));
  return {
    offerId: `offer-${any(population)}`,
    region,
    price: { currencyCode, originalPrice, discountPrice },
  };
}
