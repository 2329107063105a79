import { serverNames } from "@storefront/process";

/** A process of the product that is deployed separately. */
export interface BundledProcess {
  readonly name: string;
  /** Its main module, from the root of the repository. */
  readonly entry: string;
  /** Processes whose migrations it reads. */
  readonly migrations: readonly string[];
  /** Whether it serves the explorer and the API reference. */
  readonly hasPages: boolean;
}

/** Every process, in the order in which they depend on each other. */
export const processes: readonly BundledProcess[] = [
  {
    name: "cli",
    entry: "packages/cli/src/main.ts",
    migrations: serverNames,
    hasPages: false,
  },
  ...serverNames.map((name) => ({
    name,
    entry: `services/${name}/src/main.ts`,
    migrations: [name],
    hasPages: false,
  })),
  { name: "gateway", entry: "gateway/src/main.ts", migrations: [], hasPages: true },
];
