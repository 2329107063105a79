import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** The first version that runs TypeScript as it is, without a flag or a warning, and is supported. */
const minMajor = 24;

export function checkNode(version: string): Check {
  return Number.parseInt(version, 10) >= minMajor
    ? fine("Node.js", version)
    : wrong(
        "Node.js",
        `Version ${version} is too old, ${minMajor} is needed.`,
        "Run by `npx -y pnpm@12 storefront`, which brings its own.",
      );
}
