/** Tags remembered for each half of the journal, unless it is told otherwise: some 10 MB in all. */
const defaultTagsMax = 50_000;

/**
 * Remembers when tags were last touched, by the sequence of the log that says so. Whoever keeps a
 * value with the tags it depends on and the position at which it was begun can ask at any time
 * whether the value still holds; so nothing need be found and removed when a tag is touched, and
 * values that are being made, kept, or shared by others are judged alike.
 *
 * Bounded: the older half of the memory goes when the younger is full. Values begun before what is
 * remembered can no longer be judged.
 */
export class TagJournal {
  readonly #tagsMax: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #recentBeganAt = 0;
  #knownSince = 0;
  #position: number | undefined;

  constructor(tagsMax = defaultTagsMax) {
    this.#tagsMax = tagsMax;
  }

  /** Where the log has been read to; undefined before it began. */
  get position(): number | undefined {
    return this.#position;
  }

  /** Begins at a position of the log, without a memory of anything before it. */
  begin(position: number): void {
    this.#recent = new Map();
    this.#older = new Map();
    this.#recentBeganAt = position;
    this.#knownSince = position;
    this.#position = position;
  }

  /** Notes that an entry of the log touched these tags. */
  touch(tags: Iterable<string>, sequence: number): void {
    for (const tag of tags) this.#recent.set(tag, sequence);
    if (this.#recent.size < this.#tagsMax) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#knownSince = this.#recentBeganAt;
    this.#recentBeganAt = sequence;
  }

  /** The log has been read to here. */
  advance(position: number): void {
    this.#position = position;
  }

  /** What became of a value with these tags that was begun at a position. */
  judge(tags: Iterable<string>, begunAt: number | undefined): "untouched" | "touched" | "unknown" {
    if (begunAt === undefined || this.#position === undefined) return "unknown";
    if (begunAt < this.#knownSince || begunAt > this.#position) return "unknown";
    for (const tag of tags) {
      const touchedAt = this.#recent.get(tag) ?? this.#older.get(tag);
      if (touchedAt !== undefined && touchedAt > begunAt) return "touched";
    }
    return "untouched";
  }
}
