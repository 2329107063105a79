import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defaultExclude, defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** End-to-end tests on one stack. */
const stack = "test/e2e/src/stack/stack.test.ts";

/** Kills, restores, hostile input, versions, outages, real data, deployment, monitoring, search quality. */
const drills = [
  "{gateway,services/*,packages/*}/test/**/*.drill.test.ts",
  "test/{deploy,e2e,faults,load,monitoring,search-quality}/src/**/*.test.ts",
];

/** What the contract allows so many seconds for, and what builds the same images. */
const alone = [
  "gateway/test/slow-health.drill.test.ts",
  "test/e2e/src/cached-answers.test.ts",
  "test/load/src/purge/killed-purge.test.ts",
  "test/monitoring/src/alerts/alerts.test.ts",
  "test/deploy/src/{cluster,compose,images}/**/*.test.ts",
];

/** What is waited for may take as long as a busy machine needs. */
const patience = {
  setupFiles: ["packages/testkit/src/patience.ts"],
  expect: { poll: { timeout: 20_000 } },
};

/** Limits of tests of one part, in milliseconds. */
const part = { ...patience, testTimeout: 60_000, hookTimeout: 120_000 };

/** Limits of tests of a whole stack, in milliseconds. */
const whole = { ...patience, testTimeout: 120_000, hookTimeout: 240_000 };

/**
 * PGlite's code is compiled again by each process that has it. To optimise it takes a quarter of the processor
 * time of most tests, and pays only for those that run it for long.
 */
const unoptimised = ["--liftoff-only"];

/** Tests that lie beside what they test: of functions, without leavings. */
const pure = "{gateway,services/*,packages/*}/src/**/*.test.ts";

/** What lies there as well, but sets the clock, or has a server or a database. */
const impure = [
  "gateway/src/operations/**/*.test.ts",
  "gateway/src/http/in-flight.test.ts",
  "gateway/src/protection/request-counter.test.ts",
  "packages/ingest/src/{apply,stream}/*.test.ts",
  "packages/ingest/src/ingest-metrics.test.ts",
];

/** Test files by what stands in them. */
function filesWith(pattern: RegExp, glob: string): { matching: string[]; others: string[] } {
  const exclude = (path: string) => path.includes("node_modules");
  const files = globSync(glob, { exclude }).filter((file) => !file.endsWith(".drill.test.ts"));
  const matching = files.filter((file) => pattern.test(readFileSync(file, "utf8")));
  return { matching, others: files.filter((file) => !matching.includes(file)) };
}

/** Those that describe a suite on each database: they run on servers as well. */
const onServers = filesWith(/describeOnEach/, "{packages,services}/**/*.test.ts").matching;

/** Of the gateway over in-test services, those that change neither the clock nor the services' records. */
const overServices = filesWith(
  /support\/(clock|records)|useFakeTimers|spyOn/,
  "gateway/{test,src/operations}/**/*.test.ts",
).others;

/** What takes longest, in this order; then projects in the order below. */
const longest = [
  "real-data",
  "stack",
  "alerts",
  "drills",
  "explorer",
  "meaning",
  "killed-follower",
  "memory",
  "search-service",
  "postgres-engine",
  "side-by-side",
];
const projects = ["stack", "drills", "servers", "unit", "gateway", "contract", "pure", "alone"];

/** Begins with what takes longest, so that no processor waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      const file = moduleId.replace(".drill.", ".");
      const rank = longest.findIndex((name) => file.endsWith(`/${name}.test.ts`));
      return rank === -1 ? longest.length + projects.indexOf(project.name) : rank;
    };
    // It sorts no array in place.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

// `pnpm test` runs the projects pure, unit, gateway, contract and stack, `pnpm test:drills` the others.
export default defineConfig({
  test: {
    globalSetup: "packages/testkit/src/global-setup.ts",
    sequence: { sequencer: LongestFirst },
    // Many tests wait for a server, a child process or an interval: half as many more than there are
    // processors keep these busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        test: {
          name: "pure",
          include: [pure],
          exclude: [...defaultExclude, ...impure],
          // Modules are loaded once for many files: loading takes longer than most of these tests.
          isolate: false,
          ...part,
        },
      },
      {
        test: {
          name: "unit",
          include: ["{gateway,services/*,packages/*}/test/**/*.test.ts", ...impure],
          exclude: [...defaultExclude, ...drills, ...overServices],
          execArgv: unoptimised,
          ...part,
        },
      },
      {
        test: {
          name: "gateway",
          include: overServices,
          isolate: false,
          ...part,
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/src/**/*.test.ts"],
          ...whole,
        },
      },
      {
        test: {
          name: "stack",
          include: [stack],
          ...whole,
        },
      },
      {
        test: {
          name: "servers",
          include: onServers,
          env: { DATABASES: "servers" },
          execArgv: unoptimised,
          ...part,
        },
      },
      {
        test: {
          name: "drills",
          include: drills,
          exclude: [...defaultExclude, ...alone, stack],
          env: { DATABASES: "all" },
          ...whole,
        },
      },
      {
        // One by one, after all others.
        test: {
          name: "alone",
          include: alone,
          env: { DATABASES: "all" },
          ...whole,
          fileParallelism: false,
        },
      },
    ],
  },
});
