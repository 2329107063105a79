import { parseEnvironment } from "@storefront/config";
import type { Environment } from "@storefront/config";
import type { Database, MigrationSource } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import { catalogMigrations, createCatalogService } from "@storefront/service-catalog";
import { changelogMigrations, createChangelogService } from "@storefront/service-changelog";
import { createPricingService, pricingMigrations } from "@storefront/service-pricing";
import { createReviewsService, reviewsMigrations } from "@storefront/service-reviews";
import {
  createSearchService,
  searchBackendsOf,
  searchBackendVariables,
  searchMigrations,
  zSearchEnvironment,
} from "@storefront/service-search";
import type { Logger, Metrics } from "@storefront/telemetry";
import type { ServiceName } from "./service-names.ts";

/** What every service is made of. */
export interface ServiceDependencies {
  database: Database;
  logger: Logger;
  metrics: Metrics;
  ingestToken: string;
  /** Where a service finds settings of its own. */
  env: Environment;
  /** Base URL of the Connect port of a service that was started earlier. */
  urlOf(service: ServiceName): string;
}

/** A service ready to be served over a database that is up to date. */
export interface EmbeddedService {
  services: readonly ProvidedService[];
  readiness: ReadinessChecks;
  /** Begins what it does by itself; called once it is served. */
  start?(): void;
  /**
   * Begins to index; called when sample data and files of the start are stored. On PGlite, which
   * has one connection, indexing meanwhile would double the time until they are.
   */
  startIndexing?(): void;
  /** Ends that again; called between the end of its server and that of its database. */
  close?(): Promise<void>;
}

/** Where each service's tables come from. */
export const migrationsOf: Readonly<Record<ServiceName, MigrationSource>> = {
  catalog: catalogMigrations,
  pricing: pricingMigrations,
  reviews: reviewsMigrations,
  changelog: changelogMigrations,
  search: searchMigrations,
};

/** How each service is made; a service that is added to the project gets a line here. */
export const createService: Readonly<
  Record<ServiceName, (dependencies: ServiceDependencies) => EmbeddedService>
> = {
  catalog: createCatalogService,
  pricing: createPricingService,
  reviews: createReviewsService,
  changelog(dependencies) {
    const catalog = createTransport({ baseUrl: dependencies.urlOf("catalog") });
    const changelog = createChangelogService({ ...dependencies, catalog });
    return {
      ...changelog,
      async close() {
        await changelog.close();
        await catalog.close();
      },
    };
  },
  search(dependencies) {
    const followed = {
      catalog: createTransport({ baseUrl: dependencies.urlOf("catalog") }),
      pricing: createTransport({ baseUrl: dependencies.urlOf("pricing") }),
      changelog: createTransport({ baseUrl: dependencies.urlOf("changelog") }),
    };
    const settings = zSearchEnvironment.pick(searchBackendVariables);
    const backends = searchBackendsOf(parseEnvironment(settings, dependencies.env));
    const search = createSearchService({ ...dependencies, ...followed, ...backends });
    return {
      services: search.services,
      readiness: search.readiness,
      startIndexing: () => search.start(),
      async close() {
        await search.close();
        await Promise.all(Object.values(followed).map((transport) => transport.close()));
      },
    };
  },
};
