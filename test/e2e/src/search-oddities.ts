import type { Observation } from "./model/read-observations.ts";

const observedAt = "2026-06-01T00:00:00.000Z";
const later = "2026-06-02T00:00:00.000Z";
const latest = "2026-06-03T00:00:00.000Z";
const namespace = "odd";

const observation = (kind: string, record: Observation["record"], at = observedAt) => ({
  kind,
  op: "upsert",
  observedAt: at,
  record,
});
const offer = (id: string, record: Observation["record"] = {}) =>
  observation("offer", { id: `odd-${id}`, namespace, title: "Odd", ...record });
const price = (id: string, originalPrice: number, discountPrice: number, at = observedAt) => {
  const amounts = { currencyCode: "USD", originalPrice, discountPrice };
  const record = { offerId: `odd-${id}`, region: "US", price: amounts, updatedAt: observedAt };
  return observation("price", record, at);
};
const giveaway = (id: string, startDate: string | null, endDate: string | null) =>
  observation("giveaway", {
    id: `odd-${id}`,
    offerId: `odd-${id.slice(0, -2)}`,
    startDate,
    endDate,
  });
const build = (id: string, appName: string, updatedAt: string | null, names: string[]) => {
  const technologies = names.map((technology) => ({ section: "Engine", technology }));
  return observation("build", { id: `odd-${id}`, appName, updatedAt, technologies });
};
const item = (id: string, entitlementType: string, appIds: string[]) => {
  const releaseInfo = appIds.map((appId) => ({ id: appId, appId, platform: ["Windows"] }));
  return observation("item", { id: `odd-${id}`, namespace, entitlementType, releaseInfo });
};

/**
 * Observations that the real data lack: blockchain attributes, blank and duplicate values, equal
 * discount rates, prices that fell and rose, giveaways without dates, builds of the same age, ids
 * that UTF-16 and code points sort differently.
 */
const oddities: readonly Observation[] = [
  offer("chained", { customAttributes: [{ key: "isBlockchainUsed", value: "true" }] }),
  offer("unchained", { customAttributes: [{ key: "isBlockchainUsed", value: "false" }] }),
  observation("offer", { id: "odd-bare", namespace }),
  offer("blank", {
    title: "",
    offerType: "",
    developerDisplayName: "",
    seller: { id: "odd-seller", name: "" },
    tags: [{ id: "odd-tag", name: "" }],
  }),
  offer("twice", {
    offerType: "DLC",
    tags: [
      { id: "odd-1", name: "Once" },
      { id: "odd-1", name: "Odd" },
      { id: "odd-2", name: "Odd" },
    ],
    categories: ["odd", "odd"],
    customAttributes: [
      { key: "isBlockchainUsed", value: "true" },
      { key: "isBlockchainUsed", value: "false" },
    ],
  }),
  // U+FF5E comes before U+1F600, whose first UTF-16 unit is smaller.
  offer("\u{FF5E}", { lastModifiedDate: observedAt, isCodeRedemptionOnly: true }),
  offer("\u{1F600}", { lastModifiedDate: observedAt, isCodeRedemptionOnly: false }),
  ...["third", "sixth", "free", "risen", "fallen"].map((id) => offer(id, { offerType: "DLC" })),
  price("third", 300, 200),
  price("sixth", 600, 400),
  price("free", 0, 0),
  price("risen", 1000, 500),
  price("risen", 1000, 700, later),
  price("fallen", 1000, 500),
  price("fallen", 1000, 900, later),
  price("fallen", 1000, 500, latest),
  // Of an unknown offer.
  price("unknown", 100, 50),
  offer("given"),
  giveaway("given-1", null, null),
  giveaway("given-2", "2020-01-01T00:00:00.000Z", null),
  giveaway("given-3", "2020-02-01T00:00:00.000Z", "2020-03-01T00:00:00.000Z"),
  offer("to-give"),
  giveaway("to-give-1", "2098-01-01T00:00:00.000Z", "2098-02-01T00:00:00.000Z"),
  offer("undated"),
  giveaway("undated-1", null, null),
  item("game", "EXECUTABLE", ["odd-app", "odd-old-app"]),
  item("extra", "ENTITLEMENT", ["odd-extra-app"]),
  item("plain", "ENTITLEMENT", ["odd-plain-app"]),
  offer("extra", { items: [{ id: "odd-extra", namespace }] }),
  // Its own build has no technologies, so those of the sandbox's executables apply.
  offer("plain", { items: [{ id: "odd-plain", namespace }] }),
  build("build-1", "odd-app", null, ["Undated"]),
  build("build-2", "odd-app", observedAt, ["Unity", "Unity", "Odd \u{1F600}", "Odd \uFF5E"]),
  build("build-3", "odd-app", observedAt, ["Late by id"]),
  build("build-4", "odd-old-app", null, ["Old Engine"]),
  build("build-5", "odd-extra-app", observedAt, ["Extra Engine"]),
  build("build-6", "odd-plain-app", observedAt, []),
];

/** A review; a rating of 0 counts as none. */
const review = (offerId: string, rating: number) =>
  observation("review", { id: `odd-${offerId}-${rating}`, offerId: `odd-${offerId}`, rating });

/** The last record that is written: when the index has its parts, it has everything. */
export const lastOffer = { id: "odd-last", seller: "odd-last-seller", word: "lastwrittenword" };

const { id, seller, word } = lastOffer;

/** The oddities, and at their end the last offer with its price and its rating. */
export const oddObservations: readonly Observation[] = [
  ...oddities,
  offer("last", { id, title: word, seller: { id: seller, name: "Odd" } }),
  price("last", 100, 100),
  review("given", 0),
  review("plain", 4),
  review("plain", 7.5),
  review("last", 10),
];

const given = { startDate: "2020-01-01T00:00:00.000Z", endDate: "2099-01-01T00:00:00.000Z" };

/** Further oddities: records that name unknown ones, and the largest safe integer. */
export const danglingObservations: readonly Observation[] = [
  observation("sandbox", { id: namespace, title: "Odd" }),
  observation("asset", {
    artifactId: "odd-app",
    platform: "Windows",
    namespace,
    downloadSizeBytes: Number.MAX_SAFE_INTEGER,
  }),
  observation("build", { id: "odd-build-7", appName: "odd-app", hash: "odd-hash" }),
  offer("collection", { collectionOfferIds: ["odd-twice", "odd-no-such", "odd-third"] }),
  observation("giveaway", {
    id: "odd-unknown-1",
    offerId: "odd-no-such",
    platform: "ios",
    ...given,
  }),
  observation("giveaway", { id: "odd-none-1", platform: "android", title: "None", ...given }),
  observation("giveaway", { id: "odd-third-1", offerId: "odd-third", platform: "ios", ...given }),
];
