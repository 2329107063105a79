import type { Catalogue } from "./catalogue.ts";
import type { ReplayRecord } from "./changes.ts";
import type { ModelEntry } from "./replay.ts";

/** The sandboxes and the items that name an application, by application. */
export interface Naming {
  sandboxes: ReadonlyMap<string, ReadonlySet<string>>;
  items: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The sandboxes and items whose changelogs have an entry. */
export interface EntryScopes {
  sandboxes: Iterable<string>;
  items: Iterable<string>;
}

export function namingOfApps({ item, asset }: Catalogue): Naming {
  const sandboxes = new Map<string, Set<string>>();
  const items = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, app: string, value: string) =>
    to.set(app, (to.get(app) ?? new Set()).add(value));
  for (const { id, namespace, releaseInfo } of item.values()) {
    for (const { appId } of releaseInfo ?? []) {
      if (typeof appId !== "string") continue;
      add(items, appId, id);
      if (typeof namespace === "string") add(sandboxes, appId, namespace);
    }
  }
  for (const { artifactId, namespace } of asset.values()) add(sandboxes, artifactId, namespace);
  return { sandboxes, items };
}

/** Where an entry is listed, by the present or last state of its record. */
export function scopesOf(
  { contextType, contextId }: Pick<ModelEntry, "contextType" | "contextId">,
  record: ReplayRecord,
  naming: Naming,
): EntryScopes {
  const { namespace, appName, itemId } = record;
  const own = typeof namespace === "string" ? [namespace] : [];
  const app = typeof appName === "string" ? appName : "";
  const byKind: Readonly<Record<typeof contextType, EntryScopes>> = {
    sandbox: { sandboxes: [contextId], items: [] },
    offer: { sandboxes: own, items: [] },
    item: { sandboxes: own, items: [contextId] },
    asset: {
      sandboxes: own,
      // Without an item of its own it belongs to those that name its artifact.
      items: typeof itemId === "string" ? [itemId] : (naming.items.get(contextId) ?? []),
    },
    build: { sandboxes: naming.sandboxes.get(app) ?? [], items: naming.items.get(app) ?? [] },
  };
  return byKind[contextType];
}
