import { DependencyKind } from "@storefront/contracts/health/v1/health_service";
import type { DependencyProbe } from "./provide-health.ts";

/** The probe of a service's database, which rejects while it cannot be reached. */
export function databaseProbe(database: { probe(): Promise<unknown> }): DependencyProbe {
  return {
    kind: DependencyKind.DATABASE,
    name: "database",
    async probe() {
      await database.probe();
      return undefined;
    },
  };
}
