import { drillsAreLong } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

/** Enough for the program and one sandbox; not for a fifth of the observations. */
const heapMegabytes = 24;

/** A quarter unless drills are long; that takes ten seconds. */
const offers = drillsAreLong ? 100_000 : 25_000;

it(
  `generates ${offers} offers, with over fifty times as many observations, in a heap of 24 MB`,
  { timeout: 180_000 },
  async () => {
    const generator = JSON.stringify(new URL("../src/generate-catalogue.ts", import.meta.url).href);
    const program = `
      import { generateCatalogue } from ${generator};
      let count = 0;
      for (const _ of generateCatalogue({ offers: ${offers}, seed: 1, now: new Date() })) count++;
      process.stdout.write(String(count));
    `;
    const { stdout } = await run(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, "--input-type=module", "--eval", program],
      { cwd: fileURLToPath(new URL(".", import.meta.url)) },
    );
    expect(Number(stdout)).toBeGreaterThan(50 * offers);
  },
);
