import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/** What is applied of a log while pages of a snapshot are on their way. */
export class NewerEntries {
  readonly #lists = new Set<FeedEntry[]>();

  /** A list of what is applied from now on. */
  begin(): FeedEntry[] {
    const list: FeedEntry[] = [];
    this.#lists.add(list);
    return list;
  }

  /** These are applied. */
  add(entries: readonly FeedEntry[]): void {
    for (const list of this.#lists) list.push(...entries);
  }

  /** Nothing more is added to a list. */
  end(list: FeedEntry[]): void {
    this.#lists.delete(list);
  }
}
