/** A game of the tests, beside those of the sample data. */
export const knownOffer = {
  id: "explorer-harbour",
  title: "Harbour Lights of Quayside",
  germanTitle: "Hafenlichter von Quayside",
  developer: "Quayside Works",
} as const;

const namespace = "explorer-sandbox";
const itemId = "explorer-item";
const appId = "explorer-app";

interface Observation {
  kind: string;
  op?: "upsert" | "delete";
  observedAt: string;
  record: Readonly<Record<string, unknown>>;
}

/** Its giveaways: a current one, an upcoming one, and more than a page of past ones of its soundtrack. */
const giveaways: readonly Observation["record"][] = [
  { id: "explorer-now", offerId: knownOffer.id, startDate: "2026-02-01T10:00:00Z" },
  {
    id: "explorer-upcoming",
    offerId: knownOffer.id,
    platform: "android",
    startDate: "2099-03-01T18:30:00Z",
    endDate: "2099-03-08T18:30:00Z",
  },
  ...Array.from({ length: 30 }, (_, week) => ({
    id: `explorer-past-${week}`,
    offerId: "explorer-soundtrack",
    platform: "ios",
    startDate: new Date(Date.UTC(2020, 0, 1 + 14 * week)).toISOString(),
    endDate: new Date(Date.UTC(2020, 0, 8 + 14 * week)).toISOString(),
  })),
];

/** The first observations of the game: everything that its page shows, and its giveaways. */
export function observeKnownOffer(): Observation[] {
  const seen = (
    kind: string,
    record: Observation["record"],
    observedAt = "2026-01-02T00:00:00Z",
  ) => ({
    kind,
    observedAt,
    record,
  });
  return [
    seen("tag", { id: "explorer-tag", name: "Lighthouses", status: "ACTIVE", groupName: "genre" }),
    seen("sandbox", { id: namespace, title: "Harbour Lights" }),
    seen("item", {
      id: itemId,
      namespace,
      title: knownOffer.title,
      releaseInfo: [{ id: "r1", appId, platform: ["Windows"] }],
    }),
    seen("build", {
      id: "explorer-build",
      appName: appId,
      labelName: "Live-Windows",
      buildVersion: "1.4.2",
      updatedAt: "2026-01-01T00:00:00Z",
      downloadSizeBytes: 4_200_000_000,
      technologies: [{ section: "Engine", technology: "Keelwright" }],
    }),
    seen("offer", knownOfferRecord(knownOffer.title)),
    seen("offer", {
      ...knownOfferRecord(`${knownOffer.title}: Soundtrack`),
      id: "explorer-soundtrack",
      offerType: "DLC",
      developerDisplayName: "Someone Else",
      items: [],
    }),
    seen("offerText", {
      offerId: knownOffer.id,
      locale: "de-DE",
      namespace,
      source: "publisher",
      fetchedAt: "2026-01-02T00:00:00Z",
      title: knownOffer.germanTitle,
    }),
    ...giveaways.map((record) => seen("giveaway", record)),
    ...prices.map(({ from, region, currencyCode, full, now }) =>
      seen(
        "price",
        {
          offerId: knownOffer.id,
          region,
          price: { currencyCode, originalPrice: full, discountPrice: now, discount: full - now },
          updatedAt: from,
        },
        from,
      ),
    ),
    ...Array.from({ length: 7 }, (_, index) =>
      seen("review", {
        id: `explorer-review-${index}`,
        offerId: knownOffer.id,
        rating: 8,
        title: `Opinion number ${index + 1}`,
        content: "The lamp turns, the ships come home.",
        recommended: true,
        verified: index === 0,
        createdAt: `2026-02-0${index + 1}T00:00:00Z`,
        user: { id: `u${index}`, displayName: `Keeper ${index}` },
      }),
    ),
  ];
}

/** The game with another title, observed now. */
export function observeNewTitle(title: string): Observation {
  return { kind: "offer", observedAt: new Date().toISOString(), record: knownOfferRecord(title) };
}

const prices = [
  { from: "2026-01-02T00:00:00Z", region: "US", currencyCode: "USD", full: 1999, now: 1999 },
  { from: "2026-03-02T00:00:00Z", region: "US", currencyCode: "USD", full: 1999, now: 499 },
  { from: "2026-04-02T00:00:00Z", region: "US", currencyCode: "USD", full: 1999, now: 999 },
  { from: "2026-01-02T00:00:00Z", region: "EURO", currencyCode: "EUR", full: 1899, now: 1899 },
  { from: "2026-01-02T00:00:00Z", region: "GB", currencyCode: "GBP", full: 1699, now: 1699 },
  { from: "2026-04-02T00:00:00Z", region: "GB", currencyCode: "GBP", full: 1699, now: 849 },
  { from: "2026-01-02T00:00:00Z", region: "JP", currencyCode: "JPY", full: 2200, now: 2200 },
];

function knownOfferRecord(title: string): Observation["record"] {
  return {
    id: knownOffer.id,
    namespace,
    title,
    description: "Keep the lamp burning.",
    longDescription: "Keep the lamp burning through a winter of storms.",
    offerType: "BASE_GAME",
    developerDisplayName: knownOffer.developer,
    publisherDisplayName: "Breakwater House",
    seller: { id: "breakwater", name: "Breakwater House" },
    releaseDate: "2026-01-10T00:00:00Z",
    lastModifiedDate: "2026-01-02T00:00:00Z",
    countriesBlacklist: ["JP"],
    keyImages: [
      {
        type: "OfferImageTall",
        url: "https://pictures.example.invalid/tall.jpg",
        width: 3,
        height: 4,
      },
      {
        type: "OfferImageWide",
        url: "https://pictures.example.invalid/wide.jpg",
        width: 16,
        height: 9,
      },
    ],
    tags: [{ id: "explorer-tag", name: "Lighthouses" }],
    items: [{ id: itemId, namespace }],
  };
}

/** Observations in the import format. */
export function importLines(observations: readonly Observation[]): string {
  return observations.map((observation) => `${JSON.stringify(observation)}\n`).join("");
}
