import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { describeWithTypesense, memoryDatabase } from "@storefront/testkit";
import { assert, asyncProperty, constantFrom, oneof, pre, string } from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OfferFilter } from "../src/engine/offer-search.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createTypesenseEngine, searchService } from "../src/index.ts";
import { generateDocuments, nowMs } from "./support/generated-documents.ts";
import { everything } from "../src/domain/offer-filter.ts";

/** Characters of the filter syntax between letters of titles. */
const hostileText = string({
  unit: oneof(
    { weight: 3, arbitrary: constantFrom("a", "B", "é", "ß", "7", "原", "神", "Ж", "™", " ") },
    {
      weight: 2,
      arbitrary: constantFrom(
        ..."`:()[]{}*\"\\,&|!=<>$.@-'~".split(""),
        "&&",
        "||",
        "id:*",
        ":(",
        ":[",
        "..",
      ),
    },
    { weight: 1, arbitrary: string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
  ),
  minLength: 1,
  maxLength: 40,
});

describeWithTypesense("values in filters", (typesense) => {
  let database: Database;
  let engine: SearchEngine;
  const [template] = generateDocuments(1, 1).offers;
  const write = (offers: NonNullable<typeof template>[]) =>
    database.transaction((tx) => engine.write(tx, 1, { offers }));
  const offer = (offerId: string, members: Partial<NonNullable<typeof template>>) => {
    if (template === undefined) throw new Error("there is no template");
    return { ...template, offerId, ...members };
  };
  const find = async (filter: Partial<OfferFilter>) => {
    const order = { key: "price", isAscending: true } as const;
    const page = { region: defaultRegion, nowMs, offset: 0, limit: 100, aggregations: [] };
    const search = { filter: { ...everything, ...filter }, order, ...page };
    return (await engine.searchOffers(search)).offerIds;
  };

  beforeAll(async () => {
    database = await openDatabase(await memoryDatabase("schemas"));
    await migrate(database, searchService.migrations);
    engine = createTypesenseEngine({ ...typesense.address(), timeoutMs: 10_000 });
    await engine.createGeneration(1, { dimensions: undefined });
    await database.transaction((tx) => engine.activate(tx, 1));
    await write([offer("other", { title: "Quite Other", developer: "Somebody" })]);
  });
  afterAll(async () => {
    await engine.close();
    await database.close();
  });

  it("find exactly the offers that have them, however hostile", async () => {
    await assert(
      asyncProperty(hostileText, async (value) => {
        const named = { technologies: [value], categories: [value], customAttributes: [value] };
        const tags = { tagIds: [value], tagNames: [value], tagLabels: [value] };
        const makers = { developer: value, publisher: value, sellerId: value };
        const kinds = { offerType: value, refundType: value };
        await write([offer("it", { ...named, ...makers, ...kinds, ...tags })]);
        const filters: Partial<OfferFilter>[] = [
          { technologies: [value] },
          { categories: ["none", value] },
          { customAttributes: [value, "none"] },
          { tagIds: [value] },
          { developerDisplayName: value },
          { publisherDisplayName: value },
          { sellerId: value },
          { offerTypes: [value] },
          { refundType: value },
        ];
        for (const filter of filters) {
          expect(await find(filter)).toEqual(["it"]);
          // The other conditions still apply.
          expect(await find({ ...filter, price: { min: undefined, max: undefined } })).toEqual([]);
        }
        expect(await find({ developerDisplayName: `${value}.` })).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("find every title with a letter or digit by its own text, and inject nothing", async () => {
    await assert(
      asyncProperty(hostileText, async (title) => {
        pre(/[\p{L}\p{N}]/u.test(title));
        await write([offer("it", { title, developer: "Unlike" })]);
        expect(await find({ text: title })).toContain("it");
        expect(await find({ text: title, developerDisplayName: "Nobody" })).toEqual([]);
      }),
      // A sign between letters that dictionaries separate.
      { numRuns: 150, examples: [["ܐ一神a原ꜰ'7"]] },
    );
  });

  it("are stored completely, also in large writes", async () => {
    const technologies = Array.from({ length: 40 }, (_, n) => `${n} ${"雪".repeat(60)}`);
    const ids = Array.from({ length: 400 }, (_, n) => `snow-${n}`);
    await write(ids.map((id) => offer(id, { developer: "Snow", technologies })));
    const filter = { ...everything, developerDisplayName: "Snow" };
    const order = { key: "price", isAscending: true } as const;
    const page = { region: defaultRegion, nowMs, offset: 0, limit: 1 };
    const found = await engine.searchOffers({
      filter,
      order,
      ...page,
      aggregations: ["technologies"],
    });
    const counts = new Map(found.aggregations.technologies?.map(({ key, count }) => [key, count]));
    expect(counts).toEqual(new Map(technologies.map((key) => [key, ids.length])));
  });

  it("may be as numerous as a query allows", async () => {
    const values = Array.from({ length: 100 }, (_, n) => `value (${n})`);
    await write([
      offer("it", { tagIds: values, technologies: values, categories: values.slice(0, 1) }),
    ]);
    const filter = { tagIds: values, technologies: values, categories: values };
    expect(await find({ ...filter, customAttributes: [] })).toEqual(["it"]);
    const text = Array.from({ length: 128 }, (_, n) => `a${n}-b`)
      .join(" ")
      .slice(0, 512);
    expect(await find({ ...filter, text })).toEqual([]);
  });
});
