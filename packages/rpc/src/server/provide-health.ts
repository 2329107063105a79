import type { MessageInitShape } from "@bufbuild/protobuf";
import { settledWithin } from "@storefront/process";
import {
  HealthService,
  HealthStatus,
  DependencyKind,
} from "@storefront/contracts/health/v1/health_service";
import type { DependencyHealthSchema } from "@storefront/contracts/health/v1/health_service";
import { provide } from "./provide.ts";
import type { ProvidedService } from "./provide.ts";

/** Longest time of a probe; then its dependency counts as failing. */
const probeTimeoutMs = 1_500;

/** Health of the consumer of a feed; see DependencyHealth. */
export interface FeedLag {
  readonly lagEntries?: bigint;
  readonly lagSeconds?: number;
  readonly quarantinedEntries?: bigint;
  readonly isOutdated?: boolean;
}

/** The probe of a dependency of the service. */
export interface DependencyProbe {
  readonly kind: DependencyKind;
  /** Its name, for feeds that of the service followed. */
  readonly name: string;
  /** Rejects when the dependency is unavailable; a feed reports its lag. */
  probe(): Promise<FeedLag | undefined>;
}

/**
 * The storefront's health service: probes all dependencies concurrently, each for at most 1.5 s, and always
 * responds. The reason of a failed probe is not disclosed.
 */
export function provideHealth(probes: readonly DependencyProbe[]): ProvidedService {
  return provide(HealthService, {
    checkHealth: async () => {
      const dependencies = await Promise.all(probes.map(healthOf));
      const failing = dependencies.some(({ status }) => status !== HealthStatus.OK);
      return { status: failing ? HealthStatus.ERROR : HealthStatus.OK, dependencies };
    },
  });
}

async function healthOf(
  dependency: DependencyProbe,
): Promise<MessageInitShape<typeof DependencyHealthSchema>> {
  const { kind, name } = dependency;
  const startMs = performance.now();
  try {
    const lag = await settledWithin(probeTimeoutMs, dependency.probe(), () => {
      throw new Error("the probe took too long");
    });
    return { kind, name, status: HealthStatus.OK, latencyMs: performance.now() - startMs, ...lag };
  } catch {
    return { kind, name, status: HealthStatus.ERROR };
  }
}

/** The probe of a service's database, which rejects while that is unavailable. */
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
