import { settledWithin } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { DependencyKind, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import type { DependencyHealth } from "@storefront/contracts/health/v1/health_service";
import { z } from "zod";
import { zObject } from "../../records/members.ts";
import { withBudget } from "../../upstream/call-scope.ts";
import type { Clients } from "../../upstream/clients.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { SingleFlight } from "../../upstream/single-flight.ts";
import { operation } from "../operation.ts";

const zPart = zObject("PartHealth", "How one part of the system is doing.", {
  status: z.enum(["ok", "error"]).meta({ description: "`error` when it fails or takes over 2 s." }),
  latency: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: "Milliseconds; null on error.", example: 1.4 }),
});

type PartHealth = z.output<typeof zPart>;

const zParts = zObject("HealthParts", "The parts of the system, each by itself.", {
  cache: zPart,
  database: zPart.meta({ description: "The worst over the services that use one." }),
  catalog: zPart,
  pricing: zPart,
  reviews: zPart,
  changelog: zPart.meta({ description: "An error also while it cannot follow the catalog." }),
  search: zPart.meta({
    description: "An error also while its engine is unavailable or cannot be written to.",
  }),
});

type Parts = z.output<typeof zParts>;

const zCheckHealthOutput = zObject("Health", "How the parts of the system are doing.", {
  status: z.enum(["ok", "error"]).meta({ description: "`ok` when every part is." }),
  services: zParts,
  message: z
    .string()
    .optional()
    .meta({ description: "With status 503: what fails.", example: "search does not respond" }),
  error: z
    .string()
    .optional()
    .meta({ description: "With status 503: `UNAVAILABLE`.", example: "UNAVAILABLE" }),
});

type Health = z.output<typeof zCheckHealthOutput>;

export const checkHealth = operation({
  path: "/health",
  operationId: "checkHealth",
  tag: "health",
  summary: "Check the health of the system",
  description:
    "Probes cache, database and services at once, within 2 seconds. 503 with the same body when any of them fails.",
  storable: false,
  cost: 0,
  input: z.object({}),
  output: zCheckHealthOutput,
  isUnavailable: ({ status }) => status !== "ok",
  failures: [503],
  resolve: async ({ ctx }): Promise<Health> => {
    const services = await checkParts(ctx);
    const failing = Object.entries(services).flatMap(([name, { status }]) =>
      status === "ok" ? [] : name,
    );
    if (failing.length === 0) return { status: "ok", services };
    return {
      status: "error",
      services,
      message: `Not available: ${failing.join(", ")}.`,
      error: "UNAVAILABLE",
    };
  },
});

/** Services give their own probes 1.5 s. */
const probeLimitMs = 1750;

const failed: PartHealth = { status: "error", latency: null };

interface ServiceProbe {
  health: PartHealth;
  databases: DependencyHealth[];
}

/** The probes of each gateway. */
const probesOf = new WeakMap<Clients, SingleFlight<Parts>>();

/** Probes everything within 2 s. Concurrent requests share one probe. */
async function checkParts(ctx: RequestContext): Promise<Parts> {
  let probes = probesOf.get(ctx.clients);
  if (probes === undefined) {
    probes = new SingleFlight(probeLimitMs);
    probesOf.set(ctx.clients, probes);
  }
  return await probes.run("all", ctx, (limits) => probeParts({ ...ctx, ...limits }));
}

async function probeParts(ctx: RequestContext): Promise<Parts> {
  const [cache, catalog, pricing, reviews, changelog, search] = await Promise.all([
    probeCache(ctx),
    probeService(ctx, "catalog"),
    probeService(ctx, "pricing"),
    probeService(ctx, "reviews"),
    probeService(ctx, "changelog"),
    probeService(ctx, "search"),
  ]);
  const probes = [catalog, pricing, reviews, changelog, search];
  return {
    cache,
    database: worstOf(probes.flatMap(({ databases }) => databases)),
    catalog: catalog.health,
    pricing: pricing.health,
    reviews: reviews.health,
    changelog: changelog.health,
    search: search.health,
  };
}

// Without a shared cache there is the memory of this process.
async function probeCache({ cache }: RequestContext): Promise<PartHealth> {
  if (cache === undefined) return okAfter(0);
  try {
    const latencyMs = await settledWithin(probeLimitMs, cache.probe(), () => {
      throw new Error("the probe took too long");
    });
    return okAfter(latencyMs);
  } catch {
    return failed;
  }
}

async function probeService(ctx: RequestContext, name: ServiceName): Promise<ServiceProbe> {
  const startedAt = performance.now();
  try {
    const scope = withBudget(ctx, probeLimitMs);
    const { status, dependencies } = await ctx.clients.health[name].checkHealth(scope, {});
    const latencyMs = performance.now() - startedAt;
    return {
      health: status === HealthStatus.OK ? okAfter(latencyMs) : failed,
      databases: dependencies.filter(({ kind }) => kind === DependencyKind.DATABASE),
    };
  } catch {
    return { health: failed, databases: [] };
  }
}

// A database that no service reports counts as failed.
function worstOf(databases: DependencyHealth[]): PartHealth {
  const allOk = databases.every(({ status }) => status === HealthStatus.OK);
  if (databases.length === 0 || !allOk) return failed;
  return okAfter(Math.max(...databases.map(({ latencyMs }) => latencyMs ?? 0)));
}

function okAfter(latencyMs: number): PartHealth {
  return { status: "ok", latency: Math.round(latencyMs * 100) / 100 };
}
