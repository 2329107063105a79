import { unavailable } from "@storefront/rpc";
import type { Client } from "typesense";
import { LiveGeneration } from "../live-generation.ts";
import type { LiveRecord } from "../live-generation.ts";
import type { OfferSelection, TextMeaningSearch } from "../offer-search.ts";
import { GenerationMissingError } from "../search-engine.ts";
import type { SearchEngine } from "../search-engine.ts";
import { collectionsOf, entriesSchema, offersSchema } from "./collections.ts";
import { embedOffers, withEmbeddingErrors } from "./embed-offers.ts";
import { PricedRegions } from "./priced-regions.ts";
import { searchByMeaning } from "./search-by-meaning.ts";
import { SearchRefused } from "./search-collections.ts";
import { searchEntries } from "./search-entries.ts";
import { listOffers } from "./list-offers.ts";
import { countFacets, searchOffers } from "./search-offers.ts";
import { connectTypesense, reach, unlessMissing } from "./typesense-client.ts";
import type { TypesenseServer } from "./typesense-client.ts";
import {
  givenVectorsSchema,
  madeVectorsSchema,
  noGivenVectors,
  noMadeVector,
} from "./offer-fields.ts";
import type { ServerModel } from "./offer-fields.ts";
import { writeIndex } from "./write-index.ts";

interface TypesenseEngineOptions extends TypesenseServer {
  /** Prefix of its collections, so that a server can hold several indexes. Default `storefront`. */
  readonly prefix?: string;
  /** Model of the server for offers and queries; default none: writes have vectors. */
  readonly model?: ServerModel | undefined;
}

/**
 * The search engine on a Typesense server, 28 or newer, one node or a cluster. A generation is a collection of offers
 * with their prices, and one of entries; an alias for the offers marks the live one.
 */
export function createTypesenseEngine(options: TypesenseEngineOptions): SearchEngine {
  const { prefix = "storefront", model, writeTimeoutMs = 60_000 } = options;
  const connection = connectTypesense(options, prefix);
  const { client, multiSearch, embeddingSearch, patientClient } = connection;
  const record = liveAlias(client, prefix);
  const live = new LiveGeneration(record);
  const noVectors = model === undefined ? noGivenVectors : noMadeVector;
  const pricedRegions = new PricedRegions(connection);
  const writing = { connection, pricedRegions, writeTimeoutMs, noVectors };
  const of = (generation: number) => collectionsOf(prefix, generation);
  /** The selection in a region that the generation has fields for. */
  const within = async <Selection extends OfferSelection>(
    generation: number,
    selection: Selection,
  ): Promise<Selection> => {
    const region = await pricedRegions.searched(of(generation).offers, selection.region);
    return { ...selection, region };
  };
  const meaningWithin = async <Search extends TextMeaningSearch>(
    generation: number,
    search: Search,
  ): Promise<Search> =>
    search.among === undefined
      ? search
      : { ...search, among: await within(generation, search.among) };
  const drop = async (generation: number) => {
    pricedRegions.forget(of(generation).offers);
    for (const name of Object.values(of(generation))) {
      await reach("collections", () =>
        patientClient.collections(name).delete().catch(unlessMissing),
      );
    }
  };
  return {
    name: "typesense",
    isInDatabase: false,
    storesVectors: async () => true,
    ownEmbedding: model && {
      model: `typesense:${model.name}`,
      embedOffers: (generation, offers) => embedOffers(connection, of(generation).offers, offers),
      searchByMeaning: (search) =>
        withEmbeddingErrors(
          live.ask(async (generation) =>
            searchByMeaning(
              embeddingSearch,
              of(generation),
              await meaningWithin(generation, search),
            ),
          ),
        ),
    },
    probe: async () => {
      const { ok } = await reach("health", () => client.health.retrieve());
      if (!ok) throw unavailable("typesense", new Error("it reports that it is not healthy"));
    },
    close: async () => connection.close(),
    createGeneration: async (generation, { dimensions }) => {
      await drop(generation);
      const names = of(generation);
      const given = dimensions === undefined ? [] : givenVectorsSchema(dimensions);
      const schemas = [
        offersSchema(names.offers, model === undefined ? given : madeVectorsSchema(model)),
        entriesSchema(names.entries),
      ];
      for (const schema of schemas) {
        await reach("collections", () => patientClient.collections().create(schema));
      }
    },
    write: (_, generation, writes, signal) => writeIndex(writing, of(generation), writes, signal),
    indexVectors: async () => {},
    finishBuilding: async (generation) => {
      for (const name of Object.values(of(generation))) {
        await reach("collections", () => client.collections(name).retrieve());
      }
    },
    activate: (_, generation) => record.write(undefined, generation),
    liveGeneration: () => live.read(),
    dropGeneration: drop,
    searchOffers: (search) =>
      live.ask(async (generation) =>
        searchOffers(multiSearch, of(generation), await within(generation, search)),
      ),
    listOffers: (listing) =>
      live.ask(async (generation) =>
        listOffers(multiSearch, of(generation), await within(generation, listing)),
      ),
    countFacets: (search) =>
      live.ask(async (generation) =>
        countFacets(multiSearch, of(generation), await within(generation, search)),
      ),
    searchEntries: (search) =>
      live.ask((generation) => searchEntries(multiSearch, of(generation), search)),
    searchByMeaning: (search) =>
      live.ask(async (generation) =>
        searchByMeaning(multiSearch, of(generation), {
          ...(await meaningWithin(generation, search)),
          ...(await search.vectorIn(generation)),
        }),
      ),
  };
}

/** Stores the live generation as an alias of its offers' collection. */
function liveAlias(client: Client, prefix: string): LiveRecord {
  const name = `${prefix}_offers`;
  return {
    async read() {
      const alias = await reach("aliases", () =>
        client.aliases(name).retrieve().catch(unlessMissing),
      );
      const collection = alias?.collection_name;
      // An alias of another owner is not a generation.
      if (collection?.startsWith(`${name}_`) !== true) return undefined;
      const generation = Number(collection.slice(`${name}_`.length));
      return Number.isSafeInteger(generation) ? generation : undefined;
    },
    async write(_, generation) {
      const { offers } = collectionsOf(prefix, generation);
      await reach("aliases", () => client.aliases().upsert(name, { collection_name: offers }));
    },
    isMissing: (error) =>
      error instanceof GenerationMissingError ||
      (error instanceof SearchRefused && error.status === 404),
  };
}
