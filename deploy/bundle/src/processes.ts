import { serviceNames } from "@storefront/process";

/** A process of the product that is deployed by itself. */
export interface BundledProcess {
  readonly name: string;
  /** Its main module, from the root of the repository. */
  readonly entry: string;
  /** Modules that run in threads of their own, from the root of the repository. */
  readonly threads: readonly string[];
  /** Services whose migrations it reads. */
  readonly migrations: readonly string[];
  /** Whether it serves the explorer and the API reference. */
  readonly hasPages: boolean;
}

/** Every process, in the order in which they depend on each other. */
export const processes: readonly BundledProcess[] = [
  {
    name: "cli",
    entry: "packages/cli/src/main.ts",
    threads: [],
    migrations: serviceNames,
    hasPages: false,
  },
  ...serviceNames.map((name) => ({
    name,
    entry: `services/${name}/src/main.ts`,
    threads:
      name === "search" ? ["services/search/src/engine/postgres/vectors/vector-worker.ts"] : [],
    migrations: [name],
    hasPages: false,
  })),
  { name: "gateway", entry: "gateway/src/main.ts", threads: [], migrations: [], hasPages: true },
];
