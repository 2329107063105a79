import { asCountry } from "@storefront/domain/identifiers";
import type { Country, Region } from "@storefront/domain/identifiers";
import { firstRegions, RegionTable } from "@storefront/domain/regions";
import type { PricingRegion } from "@storefront/domain/regions";
import { isDeepStrictEqual } from "node:util";

/** A country and the region its prices are in. */
export interface ResolvedCountry {
  country: Country;
  region: Region;
}

/** The pricing regions as last read from pricing; until the first time those that an installation begins with. */
class CurrentRegions {
  #table = firstRegions;
  /** The country of a request that names none. */
  defaultCountry = asCountry("US");

  get table(): RegionTable {
    return this.#table;
  }

  /** @returns whether they differ from those of before */
  replace(listed: readonly PricingRegion[]): boolean {
    if (isDeepStrictEqual(listed, this.#table.regions)) return false;
    this.#table = new RegionTable(listed);
    return true;
  }

  /** Undefined for a country that is in no region. */
  resolve(country: Country): ResolvedCountry | undefined {
    const found = this.#table.of(country);
    return found && { country, region: found.region };
  }

  /** The default country, in the first region if it is in none; undefined without any region. */
  get fallback(): ResolvedCountry | undefined {
    const country = this.defaultCountry;
    const [first] = this.#table.regions;
    return this.resolve(country) ?? (first && { country, region: first.region });
  }
}

/** Of the gateway: a process runs one. */
export const currentRegions = new CurrentRegions();
