import { startProgram } from "@storefront/testkit";
import type { Release, RunningProgram } from "@storefront/testkit";

const serviceNames = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

/** Services of one release, by their names. */
export type Services = Readonly<Record<(typeof serviceNames)[number], RunningProgram>>;

/** Token for ingest. */
export const ingestToken = "a-token-for-the-tests";

/** Programs of one release, each in a process of its own. */
export class RunningRelease {
  readonly #release: Release;
  readonly #env: Readonly<Record<string, string>>;
  readonly #running: RunningProgram[] = [];

  constructor(release: Release, databaseUrl: string) {
    this.#release = release;
    this.#env = {
      DATABASE_URL: databaseUrl,
      INGEST_TOKEN: ingestToken,
      SHUTDOWN_DELAY_SECONDS: "0",
      LOG_LEVEL: "info",
    };
  }

  /** Starts the services that follow no other. */
  async startOwners(): Promise<Pick<Services, "catalog" | "pricing" | "reviews">> {
    const [catalog, pricing, reviews] = await Promise.all([
      this.#startService("catalog"),
      this.#startService("pricing"),
      this.#startService("reviews"),
    ]);
    return { catalog, pricing, reviews };
  }

  /** Starts the services that follow these. */
  async startFollowers(
    owners: Pick<Services, "catalog" | "pricing">,
  ): Promise<Pick<Services, "changelog" | "search">> {
    const changelog = await this.#startService("changelog", urlsOf(owners));
    const search = await this.#startService("search", urlsOf({ ...owners, changelog }));
    return { changelog, search };
  }

  async startGateway(services: Services): Promise<RunningProgram> {
    return await this.#start("gateway/src/main.ts", {
      ...urlsOf(services),
      PORT: "0",
      METRICS_PORT: "0",
      HOST: "127.0.0.1",
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((program) => program.stop()));
  }

  async #startService(
    name: (typeof serviceNames)[number],
    urls: Readonly<Record<string, string>> = {},
  ): Promise<RunningProgram> {
    const prefix = name.toUpperCase();
    const ports = { [`${prefix}_PORT`]: "0", [`${prefix}_GRPC_PORT`]: "0" };
    return await this.#start(`services/${name}/src/main.ts`, { ...urls, ...ports });
  }

  async #start(main: string, env: Readonly<Record<string, string>>): Promise<RunningProgram> {
    const program = await startProgram({
      release: this.#release,
      main,
      env: { ...this.#env, ...env },
    });
    this.#running.push(program);
    return program;
  }
}

/** Variables with the Connect URLs of services. */
function urlsOf(services: Partial<Services>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services).map(([name, { url }]) => [`${name.toUpperCase()}_URL`, url]),
  );
}

/** Variables of the CLI with the gRPC addresses of services. */
export function grpcUrlsOf(services: Partial<Services>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services).map(([name, { grpcAddress }]) => [
      `${name.toUpperCase()}_GRPC_URL`,
      grpcAddress,
    ]),
  );
}
