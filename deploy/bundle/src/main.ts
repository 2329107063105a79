// `pnpm bundle [PROCESS…] [--from DIR] [--out DIR]`: bundles the processes, all unless some are named.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleProcess } from "./bundle-process.ts";
import { processes } from "./processes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Checkout with its dependencies installed; default this one. */
    from: { type: "string", default: resolve(import.meta.dirname, "../../..") },
    /** Where to; default `dist` in the checkout. */
    out: { type: "string" },
  },
});
const from = resolve(values.from);
const out = resolve(values.out ?? `${from}/dist`);
const unknown = positionals.filter((name) => !processes.some((one) => one.name === name));
if (unknown.length > 0) {
  const names = processes.map(({ name }) => name).join(", ");
  process.stderr.write(`There is no process ${unknown.join(", ")}; there are ${names}.\n`);
  process.exit(2);
}
for (const one of processes) {
  if (positionals.length > 0 && !positionals.includes(one.name)) continue;
  // Another checkout may be of a release without it.
  if (!existsSync(resolve(from, one.entry))) continue;
  const { sizeBytes } = await bundleProcess(one, { from, directory: `${out}/${one.name}` });
  process.stdout.write(`${one.name}: ${(sizeBytes / 2 ** 20).toFixed(1)} MiB\n`);
}
