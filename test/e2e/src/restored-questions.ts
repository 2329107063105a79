import { regions } from "@storefront/domain/regions";
import type { TestStack } from "@storefront/testkit";
import { request } from "./ask.ts";
import { changelogQuestions, priceHistoryQuestions } from "./changelog-questions.ts";
import { entryQuestions } from "./entry-questions.ts";
import { readCatalogue } from "./model/catalogue.ts";
import { ChangelogModel } from "./model/changelog-model.ts";
import { EntryTextModel } from "./model/entry-text-model.ts";
import { Model } from "./model/model.ts";
import type { Observation } from "./model/read-observations.ts";
import { replay } from "./model/replay.ts";
import { overviewQuestions } from "./overview-questions.ts";
import { questionsAbout } from "./questions.ts";
import { readLog } from "./read-log.ts";
import { generateSearches } from "./search-bodies.ts";
import { oddObservations } from "./search-oddities.ts";

/** A request to two stacks. */
export interface Asked {
  path: string;
  body?: unknown;
}

/** Kinds without a changelog; some of their records are deleted beside those of the history. */
const deletedKinds = [
  "tag",
  "offerText",
  "offerDetails",
  "ageRating",
  "price",
  "giveaway",
  "review",
];

/** Entries of another source: about a known record, and about an unknown one. */
const foreignEntries = (offerId: string) =>
  [
    { id: "foreign-1", contextType: "offer", contextId: offerId },
    { id: "foreign-2", contextType: "achievement", contextId: "a1", namespace: "odd" },
  ].map((about, index) => ({
    kind: "entry",
    record: {
      ...about,
      timestamp: `2020-01-0${index + 1}T00:00:00Z`,
      changes: [
        { changeType: "insert", type: "string", field: "a", newValue: "foreignword" },
        {
          changeType: "update",
          type: "null",
          field: "b",
          oldValue: { c: [1, null] },
          newValue: null,
        },
        { changeType: "delete", type: "string", field: "d", oldValueRaw: '{"e":1}' },
      ],
    },
  }));

/** Observations that a history lacks: odd records, deletions, new prices, foreign entries. */
export function observationsBeside(observations: readonly Observation[]): object[] {
  const later = "2025-11-01T00:00:00.000Z";
  const deleted = deletedKinds.flatMap((kind) =>
    observations
      .filter((each) => each.kind === kind)
      .slice(0, 3)
      .map((each) => ({ ...each, op: "delete", observedAt: later })),
  );
  const prices = observations.filter(({ kind }) => kind === "price").slice(3, 60);
  const cheaper = prices.map((each) => {
    const before = each.record["price"] as object;
    const price = { ...before, originalPrice: 5000, discountPrice: 2500 };
    return { ...each, observedAt: later, record: { ...each.record, price, updatedAt: later } };
  });
  const rankings = observations.filter(({ kind }) => kind === "ranking").slice(0, 2);
  const unranked = rankings.map((each) => ({
    ...each,
    observedAt: later,
    record: { ...each.record, position: 0 },
  }));
  const offer = observations.find(({ kind }) => kind === "offer");
  const entries = foreignEntries(String(offer?.record["id"]));
  return [...deleted, ...cheaper, ...unranked, ...entries, ...oddObservations];
}

/**
 * Questions for every operation of a stack into which a history was imported. Also saves some queries, which are
 * requested by their ids.
 *
 * @param names files of the first states, of the history that begins with them, and of the rest.
 */
export async function questionsFor(stack: TestStack, names: readonly string[]): Promise<Asked[]> {
  const [present = ""] = names;
  const catalogue = await readCatalogue([present]);
  const model = new Model(catalogue, regions);
  const replayed = await replay(names.slice(1, 2));
  const log = await readLog(stack, replayed.entries.length);
  const changelog = new ChangelogModel({ replay: replayed, log, catalogue, model });
  const texts = new EntryTextModel(changelog.entries, catalogue);
  const countryOf = new Map(regions.map(({ region, countries }) => [region, countries[0] ?? ""]));
  const searches = generateSearches(catalogue, regions, { count: 150, seed: 5 });
  const saved: Asked[] = [];
  for (const { body, country, locale } of searches.slice(0, 20)) {
    const path = `/search?country=${country}&locale=${locale}`;
    const { result } = await request(stack.gatewayUrl + path, body);
    const { query } = result as { query: string };
    saved.push({ path: `/search/${query}` }, { path: `/search/${query}/count?country=US` });
  }
  const questions = [
    ...questionsAbout(catalogue, model),
    ...overviewQuestions(catalogue, model),
    ...changelogQuestions(catalogue, changelog),
    ...priceHistoryQuestions(replayed, catalogue, countryOf),
    ...entryQuestions(changelog, texts, { count: 60, seed: 17 }),
  ].map(({ path, body }) => ({ path, ...(body === undefined ? {} : { body }) }));
  return [
    ...questions,
    ...saved,
    ...searches.map(({ body, country, locale }) => ({
      path: `/search/v2/search?country=${country}&locale=${locale}`,
      body,
    })),
    ...["/sellers", "/promotions/free-games", "/sandboxes/odd/changelog?limit=50"].map((path) => ({
      path,
    })),
    { path: "/search/changelog?query=foreignword" },
    { path: "/changelist/foreign-1" },
    { path: "/changelist/foreign-2" },
  ];
}
