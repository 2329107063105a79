import { availableParallelism } from "node:os";
import { defaultExclude, defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

const whole = "test/{e2e,contract,deploy,faults,load,monitoring,search-quality}/src/**/*.test.ts";

/** What the contract allows so many seconds for, and what builds the same images. */
const alone = [
  "gateway/test/slow-health.test.ts",
  "test/e2e/src/{cached-answers,services-back}.test.ts",
  "test/deploy/src/{cluster,compose,images}/**/*.test.ts",
];

/** What is waited for may take as long as a busy machine needs. */
const patience = {
  setupFiles: ["packages/testkit/src/patience.ts"],
  expect: { poll: { timeout: 20_000 } },
};

/**
 * PGlite's code is compiled anew by each process that has it. To optimise it takes a quarter of the processor
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

/** What takes longest, in this order; then the whole, then parts with servers, then functions. */
const longest = [
  "real-data",
  "lifecycle",
  "killed-import",
  "drills",
  "explorer",
  "meaning",
  "killed-follower",
  "memory",
  "search-service",
  "postgres-engine",
  "side-by-side",
];
const projects = ["whole", "unit", "pure", "alone"];

/** Begins with what takes longest, so that no processor waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length + projects.indexOf(project.name) : place;
    };
    // It sorts no array in place.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

// `pnpm test --project unit` runs one project.
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
          ...patience,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "unit",
          include: ["{gateway,services/*,packages/*}/test/**/*.test.ts", ...impure],
          exclude: [...defaultExclude, ...alone],
          execArgv: unoptimised,
          ...patience,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "whole",
          include: [whole],
          exclude: [...defaultExclude, ...alone],
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        // One by one, after all others.
        test: {
          name: "alone",
          include: alone,
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
