import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { afterAll, beforeAll, describe } from "vitest";
import { describeGeneratedData } from "./describe-generated-data.ts";
import { describeImport } from "./describe-import.ts";
import { describeIngest } from "./describe-ingest.ts";
import { describeLifecycle } from "./describe-lifecycle.ts";
import { describeMirror } from "./describe-mirror.ts";
import { describeRegions } from "./describe-regions.ts";
import { describeTokens } from "./describe-tokens.ts";
import { startSharedStack } from "./shared-stack.ts";
import type { SharedStack } from "./shared-stack.ts";

// One stack for all suites: a start takes seconds.
describe("the stack", () => {
  let files: TemporaryDirectory;
  let stack: SharedStack;
  beforeAll(async () => {
    files = await makeTemporaryDirectory();
    stack = await startSharedStack(files);
  });
  afterAll(async () => {
    await stack.stop();
    await files.remove();
  });
  const shared = () => stack;

  // First, while the stack has nothing else.
  describeGeneratedData(shared);
  describeTokens(shared);
  describeImport(shared);
  describeIngest(shared);
  describeRegions(shared);
  describeMirror(shared);
  describeLifecycle(shared);
});
