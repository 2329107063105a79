import { appNumber, appsOf } from "./item.ts";
import { dayMs, iso, momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { identifier, Random } from "./random.ts";
import type { Sandbox } from "./sandbox.ts";

interface AssetRecord {
  readonly artifactId: string;
  readonly platform: string;
  readonly namespace: string;
  readonly id: string;
  readonly itemId: string | null;
  readonly title: string;
  readonly downloadSizeBytes: number | null;
  readonly installedSizeBytes: number | null;
  readonly updatedAt: string;
}

/** Platforms an app can have at most. */
const platformsPerApp = 2;

/**
 * Assets of a sandbox: one for each app and platform, growing with its updates; 12 % are missing, 3 % have no
 * item.
 */
export function observeAssets(sandbox: Sandbox): Observed<"asset", AssetRecord>[] {
  const { source, game } = sandbox;
  return sandbox.slots.flatMap((slot) =>
    appsOf(sandbox, slot).flatMap((app, n) =>
      app.platforms.flatMap((platform, p) => {
        const number = appNumber(slot, n) * platformsPerApp + p;
        const random = new Random(source.seed, "asset", number);
        if (random.chance(0.12) && game.index > 0) return [];
        const sizes = createSizes(random);
        const updatedMs = momentBetween(random, game.createdMs, source.nowMs);
        const record: AssetRecord = {
          artifactId: app.appId,
          platform,
          namespace: game.namespace,
          id: identifier(source.seed, "asset", number),
          itemId: random.chance(0.03) ? null : slot.itemId,
          title: slot.title,
          downloadSizeBytes: sizes.downloadSizeBytes,
          installedSizeBytes: random.chance(0.05) ? null : sizes.installedSizeBytes,
          updatedAt: iso(updatedMs),
        };
        return sizesBefore(random, record, game.createdMs);
      }),
    ),
  );
}

/** The asset with up to three smaller ones before it, oldest first. */
function sizesBefore(
  random: Random,
  present: AssetRecord,
  createdMs: number,
): Observed<"asset", AssetRecord>[] {
  const states = [present];
  for (let updates = random.integer(0, 3); updates > 0; updates--) {
    const [later] = states;
    if (later === undefined) break;
    const laterMs = Date.parse(later.updatedAt);
    const updatedMs = laterMs - random.integer(9, 60) * dayMs;
    if (updatedMs < createdMs) break;
    states.unshift({ ...later, ...shrunk(later, random.unit()), updatedAt: iso(updatedMs) });
  }
  return states.map((state) => observe("asset", Date.parse(state.updatedAt), state));
}

/** Up to a tenth smaller. */
function shrunk({ downloadSizeBytes, installedSizeBytes }: AssetRecord, share: number) {
  const smaller = (bytes: number | null) =>
    bytes === null ? null : Math.floor(bytes * (1 - 0.1 * share));
  return {
    downloadSizeBytes: smaller(downloadSizeBytes),
    installedSizeBytes: smaller(installedSizeBytes),
  };
}

/** Sizes of a program, in bytes. */
export interface Sizes {
  readonly downloadSizeBytes: number;
  readonly installedSizeBytes: number;
}

const smallestBytes = 50_000_000;

/** Sizes from 50 MB to 120 GB, spread evenly over the orders of magnitude. */
export function createSizes(random: Random): Sizes {
  const downloadSizeBytes = Math.floor(smallestBytes * 2400 ** random.unit());
  const installedSizeBytes = Math.floor(downloadSizeBytes * (1.1 + 0.9 * random.unit()));
  return { downloadSizeBytes, installedSizeBytes };
}
