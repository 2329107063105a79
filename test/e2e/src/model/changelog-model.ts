import { contextOf, documentOf } from "./change-context.ts";
import { namingOfApps, scopesOf } from "./entry-scopes.ts";
import { byCodePoint, pageOf } from "./order.ts";
import type { Expected, Model } from "./model.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ModelEntry, Replay } from "./replay.ts";

/** An entry of the log: with its id, and the elements of a member in their logged order. */
export interface LoggedEntry extends Omit<ModelEntry, "changes"> {
  id: string;
  changes: readonly object[];
}

/** Sources of the model. */
export interface ChangelogModelOptions {
  replay: Replay;
  /** The log, which is known to have the replay's entries in their order. */
  log: readonly Pick<LoggedEntry, "id" | "changes">[];
  catalogue: Catalogue;
  model: Model;
}

/** Query of `searchEntries`. */
export interface EntrySearch {
  type?: string | undefined;
  id?: string | undefined;
  /** Default: no text. */
  query?: string;
  /** Default: every entry. */
  matches?: (entry: LoggedEntry) => boolean;
}

const found = (body: unknown): Expected => ({ status: 200, body });

/**
 * What the REST surface must return about a changelog, written from docs/api alone; the entries
 * are the expected ones of a replay.
 */
export class ChangelogModel {
  /** In the order of the log. */
  readonly entries: readonly LoggedEntry[];
  readonly #newestFirst: readonly LoggedEntry[];
  readonly #sandboxes = new Map<string, LoggedEntry[]>();
  readonly #items = new Map<string, LoggedEntry[]>();
  readonly #options: ChangelogModelOptions;

  constructor(options: ChangelogModelOptions) {
    const { replay, log, catalogue } = options;
    this.#options = options;
    const modelEntries = new Map<LoggedEntry, ModelEntry>();
    replay.entries.forEach((entry, index) => {
      const { id = "", changes = [] } = log[index] ?? {};
      modelEntries.set({ ...entry, id, changes }, entry);
    });
    this.entries = [...modelEntries.keys()];
    // Times in one form sort as text.
    this.#newestFirst = this.entries.toSorted(
      (a, b) => byCodePoint(b.timestamp, a.timestamp) || byCodePoint(a.id, b.id),
    );
    const naming = namingOfApps(catalogue);
    for (const entry of this.#newestFirst) {
      const record = replay.recordOf(modelEntries.get(entry));
      const { sandboxes, items } = scopesOf(entry, record, naming);
      for (const sandbox of sandboxes) listIn(this.#sandboxes, sandbox, entry);
      for (const item of items) listIn(this.#items, item, entry);
    }
  }

  /** What `listSandboxEntries` returns. */
  listSandboxEntries(sandboxId: string, page: number, limit: number): Expected {
    if (!this.#options.catalogue.sandbox.has(sandboxId)) return { status: 404 };
    const entries = this.#sandboxes.get(sandboxId) ?? [];
    const hits = pageOf(entries, page, limit).map((entry) => this.#withDocument(entry));
    const offset = (page - 1) * limit;
    return found({ hits, estimatedTotalHits: entries.length, query: "", limit, offset });
  }

  /** What `listItemEntries` returns. */
  listItemEntries(itemId: string, page: number, limit: number): Expected {
    if (!this.#options.catalogue.item.has(itemId)) return { status: 404 };
    const entries = pageOf(this.#items.get(itemId) ?? [], page, limit);
    return found(entries.map((entry) => this.#withDocument(entry)));
  }

  /** What `searchEntries` returns; `matches` selects the entries that have the text of the query. */
  searchEntries(
    { type, id, query = "", matches = () => true }: EntrySearch,
    page: number,
    limit: number,
  ): Expected {
    const matching = this.#newestFirst.filter(
      (entry) =>
        (type === undefined || entry.contextType === type) &&
        (id === undefined || entry.contextId === id) &&
        matches(entry),
    );
    const hits = pageOf(matching, page, limit).map((entry) => this.#withDocument(entry));
    return found({ hits, estimatedTotalHits: matching.length, query });
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

  /** Position of the first entry observed at a time or later. */
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
    const changes = entry.changes.map(withAction);
    const context = contextOf(entry, this.#options.catalogue);
    return { _id: id, timestamp, metadata: { contextType, contextId, context, changes } };
  }

  #withDocument(entry: LoggedEntry) {
    const { catalogue, model } = this.#options;
    return { ...this.#withContext(entry), document: documentOf(entry, catalogue, model) };
  }
}

function withAction(change: object) {
  return { ...change, action: "changeType" in change ? change.changeType : undefined };
}

function listIn(lists: Map<string, LoggedEntry[]>, key: string, entry: LoggedEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}
