import type { Observation } from "./model/read-observations.ts";

const observedAt = "2026-05-01T00:00:00.000Z";
const namespace = "odd";
const day = (text: string) => `${text}T00:00:00.000Z`;

const observation = (kind: string, record: Observation["record"]): Observation => ({
  kind,
  op: "upsert",
  observedAt,
  record,
});
const offer = (id: string, creation: string | null, record: Observation["record"]) =>
  observation("offer", {
    id: `odd-${id}`,
    namespace,
    creationDate: creation && day(creation),
    ...record,
  });
const ofItem = (id: string, offerType: string, creation: string, prePurchase = false) =>
  offer(id, creation, { offerType, prePurchase, items: [{ id: "odd-stood-for", namespace }] });
const item = (id: string, modified: string | null, appIds: string[] = []) =>
  observation("item", {
    id: `odd-${id}`,
    namespace,
    lastModifiedDate: modified && day(modified),
    releaseInfo: appIds.map((appId) => ({ id: appId, appId })),
  });
const asset = (artifactId: string, platform: string, record: Observation["record"]) =>
  observation("asset", { artifactId: `odd-${artifactId}`, platform, namespace, ...record });
const build = (id: string, record: Observation["record"]) =>
  observation("build", { id: `odd-${id}`, appName: "odd-sized", ...record });
const ranking = (collection: string, id: string, position: number) =>
  observation("ranking", { collection, offerId: `odd-${id}`, position });
const tag = (id: string, status: string, groupName: string) =>
  observation("tag", { id: `odd-${id}`, name: `Odd ${id}`, status, groupName });
const giveaway = (id: string, start: string, end: string | null) =>
  observation("giveaway", {
    id: `odd-${id}`,
    offerId: `odd-${id.slice(0, -2)}`,
    platform: "ios",
    startDate: day(start),
    endDate: end && day(end),
  });
const review = (id: string, createdAt: string | null, rating: number | null, verified?: boolean) =>
  observation("review", { id: `odd-${id}`, offerId: "odd-reviewed", createdAt, rating, verified });

/** Records that test the order of the catalog's lists and the choice among several records: ties and unknown values. */
export const catalogOddities: readonly Observation[] = [
  observation("sandbox", { id: "odd-empty" }),
  // Its sandbox has no record.
  observation("offer", { id: "odd-elsewhere", namespace: "odd-elsewhere", title: "Odd" }),
  offer("edition", null, { offerType: "EDITION", lastModifiedDate: day("2026-03-01") }),
  offer("early-dlc", null, { offerType: "DLC", lastModifiedDate: day("2026-03-01") }),

  asset("b", "Windows", { updatedAt: day("2024-01-01") }),
  asset("a", "Windows", { updatedAt: day("2024-01-01") }),
  asset("a", "Mac", { updatedAt: day("2024-01-01") }),
  asset("c", "MAC", { updatedAt: day("2024-02-01") }),
  asset("d", "Android", {}),

  item("stood-for", "2020-01-01", ["odd-sized", "odd-other"]),
  item("as-new", "2020-01-01"),
  item("undated", null),
  item("without-offer", "2022-01-01"),
  ofItem("pre", "BASE_GAME", "2015-01-01", true),
  ofItem("dlc", "DLC", "2016-01-01"),
  ofItem("game-late", "BASE_GAME", "2021-01-01"),
  ofItem("game-early", "BASE_GAME", "2020-01-01"),
  ofItem("game-twin", "BASE_GAME", "2020-01-01"),
  ofItem("demo", "DEMO", "2010-01-01"),

  build("sized-new", { labelName: "Live-Windows", updatedAt: day("2024-01-01") }),
  build("sized-old", {
    labelName: "Live-Windows",
    platform: "Mac",
    downloadSizeBytes: 0,
    updatedAt: day("2023-01-01"),
    manifest: { status: "verified", canonicalHash: "abc" },
  }),
  build("sized-undated", { labelName: "staging", manifest: { status: "processing" } }),
  build("sized-legacy", { labelName: "Live-", manifest: { canonicalHash: "abc" } }),
  build("sized-unhashed", {
    labelName: "Live-Staging-Win32",
    manifest: { status: "verified", canonicalHash: "" },
  }),
  build("foreign", { appName: "odd-foreign", updatedAt: day("2025-01-01") }),
  asset("sized", "WINDOWS", {
    namespace: "odd-elsewhere",
    downloadSizeBytes: 1,
    installedSizeBytes: 2,
  }),
  asset("sized", "windows", { downloadSizeBytes: 10 }),
  asset("sized", "Mac", { downloadSizeBytes: 30, installedSizeBytes: 40 }),

  offer("control", "2020-01-01", { title: "Control", productSlug: "odd-control/home" }),
  offer("control-late", "2021-01-01", { urlSlug: "odd-control" }),
  offer("control-undated", null, { urlSlug: "odd-control" }),
  offer("hades-early", "2018-01-01", { urlSlug: "odd-hades", prePurchase: true }),
  offer("hades", "2020-02-01", {
    urlSlug: "odd-hades",
    offerMappings: [{ pageSlug: "odd-hades--page" }],
  }),
  offer("hades-twin", "2020-02-01", { urlSlug: "odd-hades" }),

  ranking("top-sellers", "third", 7),
  ranking("most-played", "third", 2),
  ranking("top-sellers", "sixth", 2),
  // It has a price but no offer.
  ranking("top-sellers", "unknown", 1),

  tag("genre", "ACTIVE", "genre"),
  tag("feature", "ACTIVE", "feature"),
  tag("retired", "RETIRED", "genre"),
  offer("tagged", null, {
    tags: ["feature", "retired", "genre", "unknown", "feature"].map((id) => ({ id: `odd-${id}` })),
  }),
  build("without-section", {
    appName: "odd-old-app",
    updatedAt: day("2024-01-01"),
    technologies: [{ section: "SDK", technology: "Odd SDK" }, { technology: "Odd Sound" }],
  }),

  giveaway("control-1", "2019-01-01", "2019-02-01"),
  giveaway("control-2", "2020-01-01", "2099-01-01"),
  // Without an end it is not listed as a mobile giveaway.
  giveaway("hades-1", "2020-01-01", null),

  offer("reviewed", null, {}),
  review("tie-b", day("2024-01-05"), 0.5, true),
  review("tie-a", day("2024-01-05"), 1, true),
  review("undated", null, 0, true),
  ...[3.999, 4, 7.25, 7.25, 9.99, 10, null].map((rating, index) =>
    review(`rated-${index}`, day("2024-01-09"), rating, index < 3 ? false : undefined),
  ),
];
