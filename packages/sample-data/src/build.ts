import { appNumber, appsOf } from "./app.ts";
import type { App } from "./app.ts";
import { identifier } from "./identifier.ts";
import { createManifest } from "./manifest.ts";
import type { ManifestRecord } from "./manifest.ts";
import type { ObservationOf } from "./observation.ts";
import { observe } from "./observe.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./sandbox.ts";
import { createSizes } from "./size.ts";
import { dayMs, iso, momentBetween } from "./time.ts";
import type { Technology } from "./words/technologies.ts";

export interface BuildRecord {
  readonly id: string;
  readonly appName: string;
  readonly labelName: string;
  readonly platform: string | null;
  readonly buildVersion: string;
  readonly hash: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly firstSeenAt: string | null;
  readonly lastSeenAt: string | null;
  readonly downloadSizeBytes: number | null;
  readonly installedSizeBytes: number | null;
  readonly technologies: readonly Technology[];
  readonly manifest: ManifestRecord | null;
}

/** Build numbers of each app. */
const buildsPerApp = 8;

/** Builds of a sandbox: one to five of every app, oldest first. */
export function observeBuilds(sandbox: Sandbox): ObservationOf<"build">[] {
  return sandbox.slots.flatMap((slot) =>
    appsOf(sandbox, slot).flatMap((app, n) => {
      const firstNumber = appNumber(slot, n) * buildsPerApp;
      const counting = new Random(sandbox.source.seed, "build", firstNumber);
      const count = slot.role === "baseGame" ? counting.integer(1, 5) : 1;
      return Array.from({ length: count }, (_, place) =>
        observeBuild(sandbox, app, firstNumber + place, place / count, 1 / count),
      );
    }),
  );
}

/** One build from a share of the time between the sandbox's creation and now. */
function observeBuild(
  { source, game }: Sandbox,
  app: App,
  number: number,
  fromShare: number,
  share: number,
): ObservationOf<"build"> {
  const { seed, nowMs } = source;
  const random = new Random(seed, "build", number + 1);
  const span = nowMs - game.createdMs;
  const createdMs = momentBetween(
    random,
    game.createdMs + span * fromShare,
    game.createdMs + span * (fromShare + share),
  );
  const updatedMs = momentBetween(random, createdMs, Math.min(nowMs, createdMs + 5 * dayMs));
  const platform = random.pick(app.platforms);
  const stream = random.chance(0.1) ? "Beta" : "Live";
  const sizes = createSizes(random);
  const known = !random.chance(0.25);
  const version = `${random.integer(0, 4)}.${random.integer(0, 30)}.${random.integer(0, 99)}`;
  const hash = identifier(seed, "build", number, 40);
  return observe("build", updatedMs, {
    id: hash.slice(0, 24),
    appName: app.appId,
    labelName: random.chance(0.03) ? stream : `${stream}-${platform}`,
    platform: random.chance(0.15) ? null : platform,
    buildVersion: random.chance(0.2) ? `++${game.slug}+Release-${version}-${platform}` : version,
    hash,
    createdAt: iso(createdMs),
    updatedAt: iso(updatedMs),
    firstSeenAt: random.chance(0.1) ? null : iso(createdMs),
    lastSeenAt: random.chance(0.3) ? null : iso(updatedMs),
    downloadSizeBytes: known ? sizes.downloadSizeBytes : null,
    installedSizeBytes: known || random.chance(0.3) ? sizes.installedSizeBytes : null,
    technologies: game.technologies,
    manifest: createManifest(random, seed, number, updatedMs, sizes),
  });
}
