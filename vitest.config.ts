import { defineConfig } from "vitest/config";

// Every workspace part with tests is a project; `pnpm test --project e2e` runs one.
export default defineConfig({
  test: {
    globalSetup: "packages/testkit/src/global-setup.ts",
    // Most tests wait for a server or a child process, so no processor is kept free.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["{gateway,services/*,packages/*}/{src,test}/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "whole",
          include: [
            "test/{e2e,contract,deploy,faults,load,monitoring,search-quality}/src/**/*.test.ts",
          ],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
