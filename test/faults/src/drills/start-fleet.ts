import { openFaultyLink } from "@storefront/testkit";
import type { FaultyLink } from "@storefront/testkit";
import type { FleetDatabases, StoringService } from "./fleet-databases.ts";
import { SupervisedProgram } from "./supervised-program.ts";

/** Token for ingest. */
export const ingestToken = "a-token-for-the-drills";

/** Services as deployed, each restarted when it ends, with links between them that can be disturbed. */
export interface Fleet {
  /** Every replica, by service. */
  readonly programs: ReadonlyMap<StoringService, readonly SupervisedProgram[]>;
  /** Every link, by the two programs that it connects, such as `search → catalog`. */
  readonly links: ReadonlyMap<string, readonly FaultyLink[]>;
  /** Port of a service for imports; undefined while it is down. */
  grpcPort(service: StoringService): number | undefined;
  stop(): Promise<void>;
}

/** The services that each service calls. */
const upstreams: Readonly<Record<StoringService, readonly StoringService[]>> = {
  catalog: [],
  pricing: [],
  reviews: [],
  changelog: ["catalog"],
  search: ["catalog", "pricing", "reviews", "changelog"],
};

/** Starts services on migrated databases, with the given number of replicas of each. */
export async function startFleet(
  databases: FleetDatabases,
  replicas: Readonly<Record<StoringService, number>>,
): Promise<Fleet> {
  const programs = new Map<StoringService, SupervisedProgram[]>();
  const links = new Map<string, FaultyLink[]>();

  async function link(name: string, target: () => number | undefined): Promise<number> {
    const opened = await openFaultyLink(target);
    links.set(name, [...(links.get(name) ?? []), opened]);
    return opened.port;
  }

  async function start(service: StoringService, replica: number): Promise<SupervisedProgram> {
    const databaseUrl = databases.url(service);
    const { port } = databaseUrl;
    databaseUrl.port = String(await link(`${service} → database`, () => Number(port)));
    const env: Record<string, string> = {
      DATABASE_URL: databaseUrl.href,
      INGEST_TOKEN: ingestToken,
      SHUTDOWN_DELAY_SECONDS: "0",
      [`${service.toUpperCase()}_PORT`]: "0",
      [`${service.toUpperCase()}_GRPC_PORT`]: "0",
      ...(service === "search" ? { EMBEDDER: "none" } : {}),
    };
    for (const upstream of upstreams[service]) {
      const all = programs.get(upstream) ?? [];
      const target = () => all[replica % all.length]?.port("connect");
      const nearPort = await link(`${service} → ${upstream}`, target);
      env[`${upstream.toUpperCase()}_URL`] = `http://127.0.0.1:${nearPort}`;
    }
    return new SupervisedProgram({ main: `services/${service}/src/main.ts`, env });
  }

  for (const [service, count] of Object.entries(replicas) as [StoringService, number][]) {
    const started: SupervisedProgram[] = [];
    for (let replica = 0; replica < count; replica++) started.push(await start(service, replica));
    programs.set(service, started);
  }

  return {
    programs,
    links,
    grpcPort: (service) => programs.get(service)?.at(0)?.port("grpc"),
    async stop() {
      await Promise.all([...programs.values()].flat().map((program) => program.stop()));
      await Promise.all([...links.values()].flat().map((each) => each.close()));
    },
  };
}
