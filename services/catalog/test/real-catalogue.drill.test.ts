import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { recordToJson } from "@storefront/import-format";
import { describeUnlessMissing, memoryDatabase, sharedData } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readObservations } from "./read-observations.ts";
import type { JsonRecord } from "./read-observations.ts";
import { startCatalog } from "./start-catalog.ts";
import type { CatalogObservation, RunningCatalog } from "./start-catalog.ts";

const shared = sharedData();
const missing = shared === undefined ? "no real catalogue beside the repository" : undefined;
const batchSize = 1_000;

describeUnlessMissing("the real catalogue", missing, suite, { isOptional: true });

// What is expected is worked out of the files' lines, without any code of the service.
function suite(): void {
  let running: RunningCatalog;
  const records = new Map<string, JsonRecord[]>();
  const of = (kind: string) => records.get(kind) ?? [];

  beforeAll(async () => {
    running = await startCatalog(await memoryDatabase("schemas"));
    const { catalog = "", texts = "", community = "" } = shared?.importFiles ?? {};
    let batch: CatalogObservation[] = [];
    const flush = async () => {
      const { outcomes } = await running.ingest(batch);
      expect(new Set(outcomes)).toEqual(new Set([IngestOutcome.WRITTEN]));
      batch = [];
    };
    for (const { kind, json, observation } of readObservations(catalog, texts, community)) {
      const ofKind = records.get(kind) ?? [];
      ofKind.push(json);
      records.set(kind, ofKind);
      batch.push(observation);
      if (batch.length === batchSize) await flush();
    }
    await flush();
  }, 240_000);

  afterAll(() => running.stop());

  it("is there whole, and its offers read back as they were written", async () => {
    const { totalSize } = await running.catalog.listItems({});
    expect(totalSize).toBe(BigInt(of("item").length));
    for (const sample of every(of("offer"), 150)) {
      const { offer } = await running.catalog.getOffer({ offerId: text(sample, "id") });
      expect(offer && recordToJson(OfferSchema, offer)).toEqual(known(sample));
    }
  });

  it("lists each sandbox's offers newest first, by type and by title", async () => {
    const bySandbox = Map.groupBy(of("offer"), (offer) => text(offer, "namespace"));
    for (const [sandboxId, offers] of every([...bySandbox], 40)) {
      const sorted = offers.toSorted(byDate("lastModifiedDate", -1));
      const all = await running.catalog.listSandboxOffers({ sandboxId, pageSize: 100 });
      expect(all.totalSize).toBe(BigInt(offers.length));
      expect(all.offers.map(({ id }) => id)).toEqual(ids(sorted.slice(0, 100)));
      const title = text(offers[0] ?? {}, "title")
        .slice(1, 5)
        .toUpperCase();
      const matching = sorted.filter(
        (offer) =>
          text(offer, "offerType") === "ADD_ON" &&
          text(offer, "title").toLowerCase().includes(title.toLowerCase()),
      );
      const filtered = await running.catalog.listSandboxOffers({
        sandboxId,
        offerTypes: ["ADD_ON"],
        title,
        pageSize: 100,
      });
      expect(filtered.totalSize).toBe(BigInt(matching.length));
    }
  });

  it("lists its items in one order over all pages", async () => {
    const sorted = of("item").toSorted(byDate("lastModifiedDate", -1));
    const seenIds: string[] = [];
    for (let page = 1; page <= Math.ceil(sorted.length / 50); page += 1) {
      const { items } = await running.catalog.listItems({ page, pageSize: 50 });
      seenIds.push(...items.map(({ id }) => id));
    }
    expect(seenIds).toEqual(ids(sorted));
  });

  it("finds the offer of every slug", async () => {
    const slugs = every(
      of("offer").flatMap((offer) => [text(offer, "productSlug"), text(offer, "urlSlug")]),
      400,
    ).map((slug, index) => (index % 2 === 0 ? slug.replace(/\/home$/, "") : slug));
    const candidates = of("offer")
      .filter((offer) => offer["prePurchase"] !== true)
      .toSorted(byDate("creationDate", 1));
    const { mappings } = await running.catalog.resolveSlugs({ slugs });
    for (const { slug, offerId } of mappings) {
      const expected = candidates.find((offer) =>
        slugsOf(offer).some((own) => slug !== "" && (own === slug || own === `${slug}/home`)),
      );
      expect([slug, offerId]).toEqual([slug, expected?.["id"]]);
    }
  });

  it("gives the builds of items, newest first", async () => {
    for (const item of every(of("item"), 100)) {
      const apps = new Set(list(item, "releaseInfo").map((release) => release["appId"]));
      const builds = of("build")
        .filter((build) => apps.has(build["appName"]))
        .toSorted(byDate("updatedAt", -1));
      const answer = await running.catalog.listItemBuilds({ itemId: text(item, "id") });
      expect(answer.builds.map(({ build }) => build?.id)).toEqual(ids(builds));
    }
  });

  it("ranks offers by their best position", async () => {
    const knownIds = new Set(ids(of("offer")));
    const best = new Map<string, number>();
    for (const ranking of of("ranking")) {
      const offerId = text(ranking, "offerId");
      if (!knownIds.has(offerId)) continue;
      const position = Number(ranking["position"]);
      best.set(offerId, Math.min(best.get(offerId) ?? position, position));
    }
    const expected = [...best].toSorted(
      ([a, left], [b, right]) => left - right || (a < b ? -1 : 1),
    );
    const { rankedOffers } = await running.catalog.listRankedOffers({ pageSize: 10_000 });
    expect(rankedOffers.map(({ offerId, position }) => [offerId, position])).toEqual(expected);
  });

  it("gives the texts of a locale with the offers that have one", async () => {
    const german = of("offerText").filter((entry) => entry["locale"] === "de-DE");
    const offerIds = of("offer")
      .slice(0, 1_000)
      .map((offer) => text(offer, "id"));
    const { texts } = await running.catalog.batchGetOffers({ offerIds, locale: "de-DE" });
    const expected = german.map((entry) => text(entry, "offerId"));
    expect(new Set(texts.map(({ offerId }) => offerId))).toEqual(
      new Set(offerIds.filter((id) => expected.includes(id))),
    );
  });
}

function every<T>(values: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(values.length / count));
  return values.filter((_, index) => index % step === 0).slice(0, 1_000);
}

function text(record: JsonRecord, member: string): string {
  const value = record[member];
  return typeof value === "string" ? value : "";
}

function list(record: JsonRecord, member: string): JsonRecord[] {
  const value = record[member];
  return Array.isArray(value) ? value : [];
}

function ids(those: readonly JsonRecord[]): string[] {
  return those.map((record) => text(record, "id"));
}

function slugsOf(offer: JsonRecord): string[] {
  const pages = list(offer, "offerMappings").map((mapping) => text(mapping, "pageSlug"));
  return [text(offer, "productSlug"), text(offer, "urlSlug"), ...pages];
}

function byDate(member: string, direction: 1 | -1) {
  const missingLast = direction * Infinity;
  const at = (record: JsonRecord) =>
    text(record, member) === "" ? missingLast : Date.parse(text(record, member));
  return (a: JsonRecord, b: JsonRecord) => {
    const [left, right] = [at(a), at(b)];
    if (left !== right) return direction * (left < right ? -1 : 1);
    return text(a, "id") < text(b, "id") ? -1 : 1;
  };
}

/** Without what says nothing: null and empty lists, at every depth; times with milliseconds. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
    return new Date(value).toISOString();
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && !(Array.isArray(member) && member.length === 0))
      .map(([name, member]) => [name, known(member)]),
  );
}
