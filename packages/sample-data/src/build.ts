import { createSizes } from "./asset.ts";
import type { Sizes } from "./asset.ts";
import { appNumber, appsOf } from "./item.ts";
import type { App } from "./item.ts";
import { dayMs, iso, minuteMs, momentBetween, observe } from "./observe.ts";
import { identifier, Random } from "./random.ts";
import type { Seed } from "./random.ts";
import type { Sandbox } from "./sandbox.ts";

/** Build numbers of each app. */
const buildsPerApp = 8;

/** Builds of a sandbox: up to seven of every app, oldest first, most of them of the past year. */
export function observeBuilds(sandbox: Sandbox) {
  return sandbox.slots.flatMap((slot) =>
    appsOf(sandbox, slot).flatMap((app, n) => {
      const firstNumber = appNumber(slot, n) * buildsPerApp;
      const counting = new Random(sandbox.source.seed, "build", firstNumber);
      const count = slot.role === "baseGame" ? counting.integer(2, 7) : 1;
      return Array.from({ length: count }, (_, position) => {
        const [fromMs, toMs] = spanOf(sandbox, position, count);
        return observeBuild(sandbox, app, firstNumber + position, fromMs, toMs);
      }).flat();
    }),
  );
}

/** The first build was made at any time before, each of the others in its share of the past year. */
function spanOf({ source, game }: Sandbox, position: number, count: number): [number, number] {
  const { nowMs } = source;
  const recentMs = Math.max(game.createdMs, nowMs - 365 * dayMs);
  if (position === 0) return [game.createdMs, count === 1 ? nowMs : recentMs];
  const shareMs = (nowMs - recentMs) / (count - 1);
  return [recentMs + shareMs * (position - 1), recentMs + shareMs * position];
}

/** One build; half of them were seen before their manifest was read. */
function observeBuild(
  { source, game }: Sandbox,
  app: App,
  number: number,
  fromMs: number,
  toMs: number,
) {
  const { seed, nowMs } = source;
  const random = new Random(seed, "build", number + 1);
  const createdMs = momentBetween(random, fromMs, toMs);
  const updatedMs = momentBetween(random, createdMs, Math.min(nowMs, createdMs + 5 * dayMs));
  const platform = random.pick(app.platforms);
  const stream = random.chance(0.1) ? "Beta" : "Live";
  const sizes = createSizes(random);
  const known = !random.chance(0.25);
  const version = `${random.integer(0, 4)}.${random.integer(0, 30)}.${random.integer(0, 99)}`;
  const hash = identifier(seed, "build", number, 40);
  const present = {
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
  };
  const isEarly = random.chance(0.5) && createdMs < updatedMs && present.manifest !== null;
  const beforeReading = {
    ...present,
    updatedAt: present.createdAt,
    lastSeenAt: present.firstSeenAt,
    downloadSizeBytes: null,
    installedSizeBytes: null,
    manifest: unreadManifest,
  };
  const before = isEarly ? [observe("build", createdMs, beforeReading)] : [];
  return [...before, observe("build", updatedMs, present)];
}

/** A manifest that has just been found. */
const unreadManifest = {
  status: "processing",
  canonicalHash: null,
  sourceHash: null,
  parserVersion: null,
  processedAt: null,
  fileCount: null,
  fileBytes: null,
  errorCode: null,
};

const unusualStatuses = ["legacy_unverified", "processing", "invalid", "unavailable", "failed"];

const errorCodes: Readonly<Record<string, string>> = {
  invalid: "CHECKSUM_MISMATCH",
  unavailable: "NOT_PUBLISHED",
  failed: "PARSER_TIMEOUT",
};

/** The known data of a build's list of files, or null in 3 % of the builds. */
function createManifest(
  random: Random,
  seed: Seed,
  buildNumber: number,
  updatedMs: number,
  sizes: Sizes,
) {
  if (random.chance(0.03)) return null;
  const status = random.chance(0.75) ? "verified" : random.pick(unusualStatuses);
  const parsed = status === "verified" || status === "legacy_unverified";
  return {
    status,
    canonicalHash: parsed ? identifier(seed, "manifest", buildNumber, 40) : null,
    sourceHash: random.chance(0.8) ? identifier(seed, "build", buildNumber, 40) : null,
    parserVersion: parsed ? random.pick(["2.5.1", "3.0.0", "3.1.0"]) : null,
    processedAt: parsed ? iso(updatedMs + random.integer(1, 20) * minuteMs) : null,
    fileCount: parsed ? random.integer(12, 60_000) : null,
    fileBytes: parsed ? sizes.installedSizeBytes : null,
    errorCode: errorCodes[status] ?? null,
  };
}
