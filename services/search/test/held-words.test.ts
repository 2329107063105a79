import { migrate, openDatabase } from "@storefront/database";
import type { Database, Queryable, Statement } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { memoryDatabase, Seeded } from "@storefront/testkit";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { WordHolders } from "../src/domain/rank-by-meaning.ts";
import { textQuery } from "../src/domain/text-query.ts";
import { textKey } from "../src/domain/text-words.ts";
import type { OfferDocument } from "../src/engine/index-documents.ts";
import { ColumnsOfGenerations } from "../src/engine/postgres/columns/index-columns.ts";
import type { NamedHits } from "../src/engine/postgres/columns/found-offers.ts";
import { holdersInDatabase, holdersInMemory } from "../src/engine/postgres/words/holders.ts";
import { tablesOf } from "../src/engine/postgres/tables.ts";
import { findInDatabase } from "../src/engine/postgres/words/texts-in-database.ts";
import { findInMemory } from "../src/engine/postgres/words/texts-in-memory.ts";
import { WordColumns } from "../src/engine/postgres/words/word-columns.ts";
import { searchChunks } from "../src/engine/text-match.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";

const generation = 1;
const table = tablesOf(generation).text;
const maxBytes = 2 ** 26;
let database: Database;

beforeAll(async () => {
  database = await openDatabase(await memoryDatabase("schemas"));
  await migrate(database, searchService.migrations);
  await createPostgresEngine(database).createGeneration(generation, { dimensions: undefined });
});

afterAll(() => database.close());

it("finds and ranks by words in memory like the database, also after later writes", async () => {
  const random = new Seeded(7);
  await write(Array.from({ length: 300 }, (_, n) => randomOffer(n, random)));
  const columns = new WordColumns(table, maxBytes);
  await columns.readAll(database);
  expect(await differences(columns, random)).toEqual([]);
  await write(Array.from({ length: 120 }, (_, n) => randomOffer(n * 4, random)));
  const removedOffers = Array.from({ length: 30 }, (_, n) => `offer-${n * 7}`);
  await write([], removedOffers);
  await columns.readAgain(database, await allNumbers());
  expect(await differences(columns, random)).toEqual([]);
});

it("needs no more memory for offers that are repeatedly written, and finds them meanwhile", async () => {
  const random = new Seeded(11);
  const count = 1_200;
  await write(Array.from({ length: count }, (_, n) => randomOffer(n, random)));
  const columns = new WordColumns(table, maxBytes);
  await columns.readAll(database);
  const numbers = await allNumbers();
  const sizeBefore = columns.sizeBytes;
  for (let time = 0; time < 6; time++) {
    await columns.readAgain(database, numbers);
    expect(await differences(columns, random, 3)).toEqual([]);
    await columns.swept();
  }
  expect(columns.slotsEnd).toBeLessThanOrEqual(2 * count + 1);
  expect(columns.sizeBytes).toBeLessThan(1.5 * sizeBefore);
  expect(await differences(columns, random)).toEqual([]);
});

it("stops reading at its memory limit, and reports that", async () => {
  const columns = new WordColumns(table, 1_000);
  await columns.readAll(database);
  expect(columns.isTooLarge).toBe(true);
  const all = new WordColumns(table, maxBytes);
  await all.readAll(database);
  expect(all.isTooLarge).toBe(false);
});

it("searches texts in the database, for every caller, until words are read", async () => {
  const reads = Promise.withResolvers<void>();
  let readsBegun = 0;
  const slow: Queryable = {
    read: async (statement, parameters) => {
      readsBegun += 1;
      await reads.promise;
      return await database.read(statement, parameters);
    },
    readOne: (statement, parameters) => database.readOne(statement, parameters),
    write: (statement, parameters) => database.write(statement, parameters),
  };
  const columns = new ColumnsOfGenerations(slow);
  expect(await columns.words(generation)).toBeUndefined();
  await write([offerOf("meanwhile", { title: "Meanwhile" })]);
  expect(await columns.words(generation)).toBeUndefined();
  expect(readsBegun).toBe(1);
  reads.resolve();
  const words = await vi.waitUntil(() => columns.words(generation));
  const match = { chunks: searchChunks(textQuery("meanwhile")), key: "meanwhile" };
  const { numbers } = await findInMemory(words, match, { isRanked: false });
  expect(numbers).toHaveLength(1);
});

it("finds what is written while a long search reads offers", async () => {
  // After the first write of a generation all words are read; that read waits for no other reader.
  await write([offerOf("before")]);
  const columns = new ColumnsOfGenerations(database);
  await vi.waitUntil(() => columns.words(generation), { timeout: 10_000 });
  const [isReading, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reading = columns.read(generation, { region: defaultRegion, times: [] }, async () => {
    isReading.resolve();
    await mayEnd.promise;
  });
  await isReading.promise;
  await write([offerOf("beside", { title: "Beside" })]);
  const words = await vi.waitUntil(() => columns.words(generation), { timeout: 10_000 });
  const match = { chunks: searchChunks(textQuery("beside")), key: "beside" };
  const { numbers } = await findInMemory(words, match, { isRanked: false });
  expect(numbers).toHaveLength(1);
  mayEnd.resolve();
  await reading;
});

it("yields every 500,000 postings, and finds offers that are rewritten meanwhile", async () => {
  const [offers, words] = [6_000, 300];
  await database.write(`create table many as
    select number, 'apple' as title_key,
      (select string_agg(format('b%s:2D', word), ' ') || ' apple:1A' from generate_series(1, ${words}) as word)::tsvector as words
    from generate_series(1, ${offers}) as number`);
  const [rowsAreRead, mayContinue] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused: Queryable = {
    read: async <Row>(statement: Statement, parameters?: readonly unknown[]) => {
      const rows = await database.read<Row>(statement, parameters);
      rowsAreRead.resolve();
      await mayContinue.promise;
      return rows;
    },
    readOne: (statement, parameters) => database.readOne(statement, parameters),
    write: (statement, parameters) => database.write(statement, parameters),
  };
  const columns = new WordColumns("many", maxBytes);
  await columns.readAll(database);
  const writing = columns.readAgain(paused, Int32Array.of(1, 2, 3));
  await rowsAreRead.promise;
  let turns = 0;
  const takeTurns = () => {
    turns += 1;
    next = setImmediate(takeTurns);
  };
  let next = setImmediate(takeTurns);
  const match = { chunks: searchChunks(textQuery("apple b")), key: "apple b" };
  const finding = findInMemory(columns, match, { isRanked: true });
  mayContinue.resolve();
  const { numbers } = await finding;
  clearImmediate(next);
  expect(numbers).toHaveLength(offers);
  expect(turns).toBeGreaterThanOrEqual((offers * words) / (500_000 + offers) - 1);
  await writing;
  const after = await findInMemory(columns, match, { isRanked: true });
  expect(after.numbers.toSorted()).toEqual(numbers.toSorted());
});

it("finds the offers with a word, and the places where they have it, like the database", async () => {
  // Words with the numbers of offers that have them in names, tags and descriptions.
  const counts = {
    few: [100, 100, 30],
    fewNamed: [200, 100, 250],
    fewTagged: [50, 150, 300],
    many: [600, 1, 0],
  };
  await database.write("create table placed (number int, title_key text, words tsvector)");
  const placed = Object.entries(counts).map(([word, [named = 0, tagged = 0, described = 0]]) => {
    const place = `case when number <= ${named} then '2B' when number <= ${named + tagged} then '3C' else '4' end`;
    return `case when number <= ${named + tagged + described} then '${word.toLowerCase()}:' || ${place} else '' end`;
  });
  await database.write(
    `insert into placed select number, '', concat_ws(' ', ${placed.join(", ")})::tsvector
      from generate_series(1, 6000) as number`,
  );
  const columns = new WordColumns("placed", maxBytes);
  await columns.readAll(database);
  const words = [...Object.keys(counts).map((word) => word.toLowerCase()), "unknown"];
  const everySecond = Int32Array.from({ length: 3_000 }, (_, n) => n * 2 + 2);
  for (const among of [undefined, everySecond, Int32Array.of(7)]) {
    const { offerCount, holders } = await holdersInMemory(columns, { words, among });
    expect(offerCount).toBe(among?.length ?? 6_000);
    const stored = await holdersInDatabase(database, "placed", { words, among });
    expect(stored.offerCount).toBe(offerCount);
    expect(holders.map(sorted)).toEqual(stored.holders.map(sorted));
  }
  const { holders } = await holdersInMemory(columns, { words, among: undefined });
  expect(holders.map(({ holders: found }) => [...found].length)).toEqual([230, 200, 200, 0, 0]);
});

/** Holders of a word by number. */
function sorted({ found, holders }: WordHolders<number>) {
  return { found, holders: [...holders].toSorted(([left], [right]) => left - right) };
}

/** Random texts for which the results from memory and from the database differ. */
async function differences(columns: WordColumns, random: Seeded, count = 60): Promise<unknown[]> {
  const different: unknown[] = [];
  for (let n = 0; n < count; n++) {
    const text = Array.from({ length: 1 + random.below(3) }, () => randomWord(random)).join(" ");
    const corrections = random.below(2) === 0 ? [] : [{ word: randomWord(random), edits: 1 }];
    const chunks = searchChunks(textQuery(text), () => corrections);
    const isRanked = random.below(4) > 0;
    const match = { chunks, key: textKey(text) };
    const sortedHits = ({ numbers, relevances, isNamed }: NamedHits) => {
      const found = [...numbers].map((number, at) => [number, relevances?.[at]] as const);
      return { isNamed, found: found.toSorted(([left], [right]) => left - right) };
    };
    const expected = sortedHits(await findInDatabase(database, table, match, { isRanked }));
    const given = sortedHits(await findInMemory(columns, match, { isRanked }));
    if (!isDeepStrictEqual(given, expected)) different.push({ text, corrections, expected, given });
  }
  return different;
}

async function write(offers: OfferDocument[], removedOffers: string[] = []): Promise<void> {
  const engine = createPostgresEngine(database);
  await database.transaction((tx) => engine.write(tx, generation, { offers, removedOffers }));
}

async function allNumbers(): Promise<Int32Array> {
  const rows = await database.read<{ number: number }>("select number from search.offer_number");
  return Int32Array.from(rows, ({ number }) => number);
}

/** Words of one to five letters with common prefixes; some of two runs, or of another script. */
function randomWord(random: Seeded): string {
  if (random.below(12) === 0) {
    return ["原神", "Half-Life", "S.T.A.R", "Ünder", "éa"][random.below(5)] ?? "";
  }
  return Array.from({ length: 1 + random.below(5) }, () => "abc"[random.below(3)]).join("");
}

function randomOffer(n: number, random: Seeded): OfferDocument {
  const words = (most: number) =>
    Array.from({ length: random.below(most + 1) }, () => randomWord(random)).join(" ");
  return offerOf(`offer-${n}`, {
    title: words(3),
    developer: words(1),
    tagIds: ["1"],
    tagNames: [words(2)],
    description: words(6),
    offerType: ["BASE_GAME", "EDITION", "DLC", undefined][random.below(4)],
  });
}
