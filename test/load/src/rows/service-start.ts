import { serviceNames } from "@storefront/process";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { prepareBundledServices } from "../bundled-services.ts";
import { median } from "../median.ts";
import { rounded } from "../row.ts";
import type { Row } from "../row.ts";

const run = promisify(execFile);

/** How long a new pod of the slowest service takes until it receives traffic; the goal is at most 1 s. */
export const serviceStart: Row = {
  number: 17,
  case: "ms from process start to /readyz of a bundled service on PostgreSQL, the slowest; peer: node -e 0",
  goal: 15,
  goalIs: "at most",
  async measure(report, { rounds }) {
    const services = await prepareBundledServices();
    const timesMs = new Map<string, number[]>(serviceNames.map((name) => [name, []]));
    const nodeMs: number[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        for (const name of serviceNames) {
          const startedAtMs = performance.now();
          await run(process.execPath, ["-e", "0"]);
          nodeMs.push(performance.now() - startedAtMs);
          const service = await services.start(name);
          timesMs.get(name)?.push(service.startMs);
          await service.stop();
        }
      }
    } finally {
      await services.stop();
    }
    const medians = [...timesMs].map(([name, times]) => ({ name, ms: median(times) }));
    report(medians.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join(", "));
    const ours = Math.max(...medians.map(({ ms }) => ms));
    const peer = median(nodeMs);
    return { ours, peer, ratio: rounded(ours / peer) };
  },
};
