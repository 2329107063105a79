import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory for one test. */
export interface TemporaryDirectory {
  path: string;
  /** Absolute path of a file in it. */
  file(name: string): string;
  remove(): Promise<void>;
}

/** Makes an empty directory that the test removes. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "storefront-test-"));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
