/** A position in a log. */
export interface FeedPosition {
  readonly sequence: number;
  /** Of the entry there; another one in a history that was lost with a restored backup. */
  readonly identity: string;
}

/** Tags, and positions, per half of the memory: some 12 MB in all. */
const defaultTagsMax = 50_000;
const defaultPositionsMax = 10_000;

/**
 * Records when each tag was last touched, by the position in the log. A value that is stored with its tags and the
 * position from before it was begun can be judged at any time; so nothing has to be found and removed when a tag is
 * touched, and values in progress, stored, or shared by others are judged alike.
 *
 * Bounded: what was begun before everything that is remembered can no longer be judged.
 */
export class FeedJournal {
  readonly #tagsMax: number;
  readonly #positionsMax: number;
  #touchedAt = new RecentMap<string, number>(0, 0);
  #identities = new RecentMap<number, string>(0, 0);
  #position: FeedPosition | undefined;

  constructor(tagsMax = defaultTagsMax, positionsMax = defaultPositionsMax) {
    this.#tagsMax = tagsMax;
    this.#positionsMax = positionsMax;
  }

  /** Up to where the log has been read; undefined before it began. */
  get position(): FeedPosition | undefined {
    return this.#position;
  }

  /** Begins at a position, without a memory of anything before it. */
  begin(position: FeedPosition): void {
    this.#touchedAt = new RecentMap(this.#tagsMax, position.sequence);
    this.#identities = new RecentMap(this.#positionsMax, position.sequence);
    this.advance(position, []);
  }

  /** The log has been read up to here; the entry there, if it is a new one, has touched these tags. */
  advance(position: FeedPosition, tags: Iterable<string>): void {
    const { sequence, identity } = position;
    for (const tag of tags) this.#touchedAt.set(tag, sequence, sequence);
    this.#identities.set(sequence, identity, sequence);
    this.#position = { sequence, identity };
  }

  /**
   * What happened since `begunAt` to a value with these tags. A value of a history that was lost, or that is ahead of
   * the log, counts as touched.
   */
  judge(
    tags: Iterable<string>,
    begunAt: FeedPosition | undefined,
  ): "untouched" | "touched" | "unknown" {
    if (begunAt === undefined || this.#position === undefined) return "unknown";
    const { sequence, identity } = begunAt;
    const isKnown = sequence >= this.#identities.since;
    if (isKnown && this.#identities.get(sequence) !== identity) return "touched";
    if (sequence < this.#touchedAt.since) return "unknown";
    for (const tag of tags) {
      const touchedAt = this.#touchedAt.get(tag);
      if (touchedAt !== undefined && touchedAt > sequence) return "touched";
    }
    return "untouched";
  }
}

/** What entries of a log say last, by key. The older half is dropped when the newer one is full. */
class RecentMap<Key, Value> {
  readonly #halfMax: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  #newerSince: number;
  #since: number;

  constructor(halfMax: number, since: number) {
    this.#halfMax = halfMax;
    this.#newerSince = since;
    this.#since = since;
  }

  /** It has everything after this sequence. */
  get since(): number {
    return this.#since;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value, sequence: number): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.#halfMax) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#since = this.#newerSince;
    this.#newerSince = sequence;
  }
}
