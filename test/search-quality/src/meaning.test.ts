import { sharedData } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generatedCatalogue, realCatalogue } from "./catalogues.ts";
import { judgedQueries, queryKinds } from "./judged-queries.ts";
import { mean } from "./measures.ts";
import { openCatalogue } from "./open-catalogue.ts";
import type { OpenCatalogue, Quality } from "./open-catalogue.ts";
import { describeOnEachEngine } from "./start-index.ts";
import type { EngineMaker } from "./start-index.ts";
import { developmentQueries } from "./queries/development-queries.ts";
import { heldOutQueries } from "./queries/held-out-queries.ts";
import type { QuerySet } from "./queries/query-set.ts";

const shared = sharedData();
/** Seeds of the generated catalogues of each set of queries. */
const seeds = { development: [1], heldOut: [11, 12] } as const;
const offerCount = 1_500;

/** Each catalogue is indexed and embedded within the test: two take Typesense two minutes on a busy machine. */
const indexingMs = 300_000;

describeOnEachEngine("searches by meaning", (createEngine) => {
  let real: OpenCatalogue | undefined;
  beforeAll(async () => {
    if (shared !== undefined) real = await openCatalogue(createEngine, await realCatalogue(shared));
  });
  afterAll(() => real?.close());

  it(
    "rank better by words and vectors together than by either alone, on queries never tuned with",
    async () => {
      const { fullText, builtin, hybrid } = await measure(
        createEngine,
        "held-out",
        heldOutQueries,
        {
          turn: 1,
          seeds: seeds.heldOut,
          real,
        },
      );
      expect(hybrid).toBeGreaterThan(fullText);
      expect(hybrid).toBeGreaterThan(builtin);
    },
    indexingMs,
  );

  // Rankings are tuned with these: try an idea here, and trust the others.
  it(
    "rank better by words and vectors together on the queries they were tuned with",
    async () => {
      const { fullText, builtin, hybrid } = await measure(
        createEngine,
        "development",
        developmentQueries,
        {
          turn: 0,
          seeds: seeds.development,
          real,
        },
      );
      expect(hybrid).toBeGreaterThan(Math.max(fullText, builtin));
    },
    indexingMs,
  );
});

describe("queries", () => {
  it.each([developmentQueries, heldOutQueries])(
    "are phrased in other words than the tags",
    (set) => {
      for (const { text, tags } of [...set.generated, ...set.real]) {
        const named = new Set(tags.flatMap(queryWords));
        expect(queryWords(text).filter((word) => named.has(word))).toEqual([]);
      }
    },
  );

  it("differ between the development and the held-out set", () => {
    const texts = ({ generated, real: onReal }: QuerySet) =>
      [...generated, ...onReal].map(({ text }) => text);
    const development = new Set(texts(developmentQueries));
    expect(texts(heldOutQueries).filter((text) => development.has(text))).toEqual([]);
  });
});

function queryWords(text: string): string[] {
  return text.toLowerCase().split(/[^a-z0-9]+/);
}

/** Means over catalogues, with equal weights; the table goes to standard error. */
async function measure(
  createEngine: EngineMaker,
  name: string,
  set: QuerySet,
  asked: { turn: 0 | 1; seeds: readonly number[]; real: OpenCatalogue | undefined },
): Promise<Quality> {
  const { turn, real } = asked;
  const means: Quality[] = [];
  for (const seed of asked.seeds) {
    const generated = await openCatalogue(createEngine, generatedCatalogue(offerCount, seed));
    try {
      means.push(await measureCatalogue(name, generated, { set, turn, isReal: false }));
    } finally {
      await generated.close();
    }
  }
  if (real !== undefined) {
    means.push(await measureCatalogue(name, real, { set, turn, isReal: true }));
  }
  const all = meanOf(means);
  print(`${name}, mean of ${means.length} catalogues`, all);
  return all;
}

async function measureCatalogue(
  name: string,
  open: OpenCatalogue,
  { set, turn, isReal }: { set: QuerySet; turn: 0 | 1; isReal: boolean },
): Promise<Quality> {
  const queries = judgedQueries(open.catalogue, set, { turn, isReal });
  const qualities: Quality[] = [];
  for (const query of queries) qualities.push(await open.measure(query));
  for (const kind of queryKinds) {
    const some = qualities.filter((_, at) => queries[at]?.kind === kind);
    if (some.length > 0)
      print(`${name}, ${open.catalogue.name}, ${some.length} ${kind}`, meanOf(some));
  }
  const all = meanOf(qualities);
  print(`${name}, ${open.catalogue.name}, all ${queries.length}`, all);
  return all;
}

function meanOf(qualities: readonly Quality[]): Quality {
  const of = (system: keyof Quality) => mean(qualities.map((each) => each[system]));
  return { fullText: of("fullText"), builtin: of("builtin"), hybrid: of("hybrid") };
}

function print(label: string, { fullText, builtin, hybrid }: Quality): void {
  const figures = Object.entries({ fullText, builtin, hybrid });
  const formatted = figures.map(([system, value]) => `${system} ${value.toFixed(3)}`).join("  ");
  process.stderr.write(`nDCG@10  ${label.padEnd(44)}  ${formatted}\n`);
}
