import { serviceNames } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareBundledServices } from "../bundled-services.ts";
import { limitRow } from "../row.ts";

const limitMiB = 130;

/** After this long without a request a service counts as idle. */
const idleMs = 10_000;

/** How much of a node's memory an idle service uses. */
export const serviceMemory = limitRow({
  number: 18,
  case: "MiB resident of an idle bundled service, the largest; peer: the limit, 130 MiB",
  limit: limitMiB,
  async measure(report) {
    const services = await prepareBundledServices();
    const sizes: { name: string; mebibytes: number }[] = [];
    try {
      for (const name of serviceNames) {
        const service = await services.start(name);
        await sleep(idleMs);
        sizes.push({ name, mebibytes: await service.residentMiB() });
        await service.stop();
      }
    } finally {
      await services.stop();
    }
    report(sizes.map(({ name, mebibytes }) => `${name} ${mebibytes.toFixed(0)} MiB`).join(", "));
    return Math.max(...sizes.map(({ mebibytes }) => mebibytes));
  },
});
