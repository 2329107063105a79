import { observe } from "./observe.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import { Random } from "./random.ts";
import { iso, momentBetween } from "./time.ts";

/** The sandbox's own record; a few have no display name, a few are closed, a few were given a name late. */
export function observeSandbox({ source, game }: Sandbox) {
  const random = new Random(source.seed, "sandbox", game.index);
  const updatedMs = momentBetween(random, game.createdMs, source.nowMs);
  const record = {
    id: game.namespace,
    title: game.title,
    displayName: random.chance(0.03) ? null : game.title,
    status: random.chance(0.02) ? "INACTIVE" : "ACTIVE",
    store: random.chance(0.95) ? "main" : "partner",
    slug: game.slug,
    createdAt: iso(game.createdMs),
    updated: iso(updatedMs),
  };
  const present = observe("sandbox", updatedMs, record);
  if (!random.chance(0.2) || updatedMs === game.createdMs) return [present];
  const unnamed = { ...record, displayName: null, updated: record.createdAt };
  return [observe("sandbox", game.createdMs, unnamed), present];
}
