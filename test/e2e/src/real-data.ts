import { regions } from "@storefront/domain/regions";
import type { SharedData, TemporaryDirectory } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { catalogueOf } from "./model/catalogue.ts";
import type { Catalogue } from "./model/catalogue.ts";
import { Model } from "./model/model.ts";
import { priceChangesOf } from "./model/price-changes.ts";
import type { ModelPriceChange } from "./model/price-changes.ts";
import { readObservations } from "./model/read-observations.ts";
import type { Observation } from "./model/read-observations.ts";
import { replayOf } from "./model/replay.ts";
import type { ModelEntry, Replay } from "./model/replay.ts";
import { SearchModel } from "./model/search-model.ts";
import { generateSearches } from "./search-bodies.ts";
import { oddObservations } from "./search-oddities.ts";
import { searchQuestions } from "./search-questions.ts";
import type { SearchQuestion } from "./search-questions.ts";
import { workedEntries } from "./worked-entries.ts";
import type { WorkedRecord } from "./worked-entries.ts";

/** The real data, or a share of them, as files to import and as models of the expected responses. */
export interface RealData {
  /** In the order of import: a year, the state at its end, and made-up odd records. */
  files: { history: string; present: string[]; odd: string };
  /** Lines of the present state by kind. */
  presentCounts: Record<string, number>;
  /** The entries of the year. */
  past: ModelEntry[];
  /** The expected result of all files. */
  replay: Replay;
  /** The price changes of all files, in their order. */
  priceChanges: ModelPriceChange[];
  catalogue: Catalogue;
  model: Model;
  /** Records whose entries were worked out by hand. */
  worked: WorkedRecord[];
  /** Generated searches with their responses. */
  searches: SearchQuestion[];
}

const searchCount = 400;

/** The real files, read. */
export interface RealFiles {
  /** In the order of import. */
  paths: string[];
  observations: Observation[][];
  worked: WorkedRecord[];
}

/** Reads the real files. */
export async function readRealFiles(shared: SharedData): Promise<RealFiles> {
  const { history, catalog, prices, texts, community } = shared.importFiles;
  const paths = [history, catalog, prices, texts, community];
  const expected = shared.path("data/import/history-sample-expected.json");
  return {
    paths,
    observations: await Promise.all(paths.map(readObservations)),
    worked: workedEntries(await readFile(expected, "utf8")),
  };
}

/**
 * Writes the files to import, except for the real ones, and models their contents.
 *
 * @param share of the sandboxes to take, with all of their records; 1 takes all.
 */
export async function prepareRealData(
  { paths, observations, worked }: RealFiles,
  { share, directory }: { share: number; directory: TemporaryDirectory },
): Promise<RealData> {
  const isTaken = share === 1 ? () => true : takeSandboxes(observations.flat(), share, worked);
  const taken = observations.map((file) => file.filter(isTaken));
  const write = async (lines: readonly Observation[], name: string) => {
    const path = directory.file(`${name}-${share}.ndjson`);
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  };
  const [history = "", ...present] =
    share === 1
      ? paths
      : await Promise.all(taken.map((lines, index) => write(lines, `part-${index}`)));
  const all = [...taken, oddObservations];
  const replay = replayOf(all);
  const catalogue = catalogueOf(all);
  const model = new Model(catalogue, regions);
  const searchModel = new SearchModel({ catalogue, replay, model, regions });
  const generated = generateSearches(catalogue, regions, { count: searchCount, seed: 18 });
  return {
    files: { history, present, odd: await write(oddObservations, "odd") },
    presentCounts: countKinds(taken.slice(1).flat()),
    past: replay.entries.slice(0, replay.entryCounts[0]),
    replay,
    priceChanges: priceChangesOf(all),
    catalogue,
    model,
    worked,
    searches: searchQuestions(generated, searchModel),
  };
}

function countKinds(observations: readonly Observation[]): Record<string, number> {
  const kinds = Map.groupBy(observations, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, lines]) => [kind, lines.length]));
}

/** Returns a predicate for observations that belong to a chosen sandbox, or to none. */
function takeSandboxes(
  observations: readonly Observation[],
  share: number,
  worked: readonly WorkedRecord[],
): (observation: Observation) => boolean {
  const offers = new Map<unknown, unknown>();
  const always = new Set<unknown>();
  for (const { kind, record } of observations) {
    if (kind === "offer") offers.set(record["id"], record["namespace"]);
    if (worked.some((each) => each.kind === kind && each.id === record["id"])) {
      always.add(record["namespace"]);
    }
  }
  const isChosen = (sandbox: unknown) =>
    always.has(sandbox) || typeof sandbox !== "string" || crc32(sandbox) / 2 ** 32 < share;
  return ({ kind, record }) => {
    if (kind === "sandbox") return isChosen(record["id"]);
    const { offerId } = record;
    return isChosen(offerId === undefined ? record["namespace"] : offers.get(offerId));
  };
}
