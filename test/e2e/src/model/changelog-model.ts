import { byCodePoint, pageOf } from "./order.ts";
import type { Expected, Model } from "./model.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ModelEntry, Replay } from "./replay.ts";
import { contextOf, documentOf } from "./change-context.ts";

/** An entry with the id that it has in the log. */
export interface LoggedEntry extends ModelEntry {
  id: string;
}

/** What the model answers from. */
export interface ChangelogModelOptions {
  replay: Replay;
  /** Ids of the replay's entries, in their order. */
  ids: readonly string[];
  catalogue: Catalogue;
  model: Model;
}

const found = (body: unknown): Expected => ({ status: 200, body });

/**
 * What the REST surface must answer about a changelog, written from rest-api.md alone; the entries
 * are those that a replay demands.
 */
export class ChangelogModel {
  /** In the order of the log. */
  readonly entries: readonly LoggedEntry[];
  readonly #newestFirst: readonly LoggedEntry[];
  readonly #sandboxes = new Map<string, LoggedEntry[]>();
  readonly #items = new Map<string, LoggedEntry[]>();
  readonly #options: ChangelogModelOptions;

  constructor(options: ChangelogModelOptions) {
    const { replay, ids } = options;
    this.#options = options;
    const places = new Map<LoggedEntry, ModelEntry>();
    replay.entries.forEach((entry, index) => places.set({ ...entry, id: ids[index] ?? "" }, entry));
    this.entries = [...places.keys()];
    // Times in one form sort as text.
    this.#newestFirst = this.entries.toSorted(
      (a, b) => byCodePoint(b.timestamp, a.timestamp) || byCodePoint(a.id, b.id),
    );
    const appsOf = speakers(options.catalogue);
    for (const entry of this.#newestFirst) {
      const place = places.get(entry) ?? entry;
      const { sandboxes, items } = scopesOf(entry, replay.recordOf(place), appsOf);
      for (const sandbox of sandboxes) listIn(this.#sandboxes, sandbox, entry);
      for (const item of items) listIn(this.#items, item, entry);
    }
  }

  /** Operation 2. */
  listSandboxEntries(sandboxId: string, page: number, limit: number): Expected {
    if (!this.#options.catalogue.sandbox.has(sandboxId)) return { status: 404 };
    const entries = this.#sandboxes.get(sandboxId) ?? [];
    const hits = pageOf(entries, page, limit).map((entry) => this.#withDocument(entry));
    const offset = (page - 1) * limit;
    return found({ hits, estimatedTotalHits: entries.length, query: "", limit, offset });
  }

  /** Operation 6. */
  listItemEntries(itemId: string, page: number, limit: number): Expected {
    if (!this.#options.catalogue.item.has(itemId)) return { status: 404 };
    const entries = pageOf(this.#items.get(itemId) ?? [], page, limit);
    return found(entries.map((entry) => this.#withDocument(entry)));
  }

  /** Operation 17 with a blank query. */
  searchEntries(
    { type, id }: { type?: string; id?: string },
    page: number,
    limit: number,
  ): Expected {
    const matching = this.#newestFirst.filter(
      ({ contextType, contextId }) =>
        (type === undefined || contextType === type) && (id === undefined || contextId === id),
    );
    const hits = pageOf(matching, page, limit).map((entry) => this.#withDocument(entry));
    return found({ hits, estimatedTotalHits: matching.length, query: "" });
  }

  /** GET /changelist */
  listEntries(page: number, limit: number): Expected {
    return found(pageOf(this.#newestFirst, page, limit).map((entry) => this.#withContext(entry)));
  }

  /** GET /changelist with `since` or `after`: `start` is a position in the log. */
  listEntriesFrom(start: number, page: number, limit: number): Expected {
    const entries = pageOf(this.entries.slice(start), page, limit);
    return found(entries.map((entry) => this.#withContext(entry)));
  }

  /** Position of the first entry that was not seen before a time. */
  positionSince(time: string): number {
    const position = this.entries.findIndex(({ timestamp }) => timestamp >= time);
    return position === -1 ? this.entries.length : position;
  }

  /** GET /changelist/{id} */
  getEntry(id: string): Expected {
    const entry = this.entries.find((each) => each.id === id);
    return entry === undefined ? { status: 404 } : found(this.#withContext(entry));
  }

  #withContext(entry: LoggedEntry) {
    const { id, timestamp, contextType, contextId } = entry;
    const changes = entry.changes.map((change) => ({ ...change, action: change.changeType }));
    const context = contextOf(entry, this.#options.catalogue);
    return { _id: id, timestamp, metadata: { contextType, contextId, context, changes } };
  }

  #withDocument(entry: LoggedEntry) {
    const { catalogue, model } = this.#options;
    return { ...this.#withContext(entry), document: documentOf(entry, catalogue, model) };
  }
}

/** Which sandboxes and items name an application. */
interface Speakers {
  sandboxes: ReadonlyMap<string, ReadonlySet<string>>;
  items: ReadonlyMap<string, ReadonlySet<string>>;
}

function speakers({ item, asset }: Catalogue): Speakers {
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

/** The sandboxes and items whose changelogs hold an entry about a record. */
function scopesOf(
  { contextType, contextId }: LoggedEntry,
  record: Readonly<Record<string, unknown>>,
  { sandboxes, items }: Speakers,
): { sandboxes: Iterable<string>; items: Iterable<string> } {
  const own = typeof record["namespace"] === "string" ? [record["namespace"]] : [];
  const { appName, itemId } = record;
  switch (contextType) {
    case "sandbox":
      return { sandboxes: [contextId], items: [] };
    case "offer":
      return { sandboxes: own, items: [] };
    case "item":
      return { sandboxes: own, items: [contextId] };
    case "asset":
      // Without an item of its own it belongs to those that name its artifact.
      return {
        sandboxes: own,
        items: typeof itemId === "string" ? [itemId] : (items.get(contextId) ?? []),
      };
    case "build": {
      const app = typeof appName === "string" ? appName : "";
      return { sandboxes: sandboxes.get(app) ?? [], items: items.get(app) ?? [] };
    }
  }
}

function listIn(lists: Map<string, LoggedEntry[]>, key: string, entry: LoggedEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}
