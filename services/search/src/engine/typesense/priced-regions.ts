import { unavailable } from "@storefront/rpc";
import { asRegion } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import type { Client } from "typesense";
import { GenerationMissingError } from "../search-engine.ts";
import { priceFields, regionSchema } from "./collections.ts";
import { reach, unlessMissing } from "./typesense-client.ts";

/** How long a region is taken for one without fields, in milliseconds: each look costs a request. */
const lookAgainMs = 1_000;

/** No region: searches in it find no prices. */
export const noRegion = asRegion("");

/** Regions that a collection of offers has fields for, as far as this process knows; they are never removed. */
export class PricedRegions {
  readonly #client: Client;
  readonly #patientClient: Client;
  readonly #known = new Map<string, { regions: ReadonlySet<Region>; readAtMs: number }>();

  constructor({ client, patientClient }: { client: Client; patientClient: Client }) {
    this.#client = client;
    this.#patientClient = patientClient;
  }

  /** The region of a search, or {@link noRegion} if the collection has no fields for it. */
  async searched(collection: string, region: Region): Promise<Region> {
    const known = this.#known.get(collection);
    if (known?.regions.has(region) === true) return region;
    const isRecent = known !== undefined && performance.now() - known.readAtMs < lookAgainMs;
    const regions = isRecent ? known.regions : await this.#read(collection);
    return regions.has(region) ? region : noRegion;
  }

  /**
   * Adds fields for the regions that lack them; searches continue meanwhile.
   *
   * @returns all regions with fields
   * @throws GenerationMissingError without such a collection
   */
  async ensure(collection: string, wanted: ReadonlySet<Region>): Promise<ReadonlySet<Region>> {
    const missingOf = (regions: ReadonlySet<Region>) => [...wanted.difference(regions)];
    const known = this.#known.get(collection)?.regions ?? (await this.#read(collection));
    if (missingOf(known).length === 0) return known;
    const missing = missingOf(await this.#read(collection));
    if (missing.length > 0) {
      const fields = missing.flatMap(regionSchema);
      try {
        await reach("collections", () =>
          this.#patientClient.collections(collection).update({ fields }),
        );
      } catch (error) {
        // Another process may have added them, or is changing the collection.
        if (missingOf(await this.#read(collection)).length > 0) {
          throw unavailable("typesense", error);
        }
      }
    }
    return await this.#read(collection);
  }

  /** To be called when the collection is dropped. */
  forget(collection: string): void {
    this.#known.delete(collection);
  }

  async #read(collection: string): Promise<ReadonlySet<Region>> {
    const found = await reach("collections", () =>
      this.#client.collections(collection).retrieve().catch(unlessMissing),
    );
    if (found === undefined) throw new GenerationMissingError(`there is no ${collection}`);
    const prefix = priceFields(noRegion).price;
    const regions = new Set(
      (found.fields ?? []).flatMap(({ name }) =>
        name.startsWith(prefix) ? [asRegion(name.slice(prefix.length))] : [],
      ),
    );
    this.#known.set(collection, { regions, readAtMs: performance.now() });
    return regions;
  }
}
