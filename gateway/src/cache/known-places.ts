/** Where a log had been read to. */
export interface Place {
  readonly sequence: number;
  /** Of the entry there: another one in a history that was lost with a restored backup. */
  readonly identity: string;
}

/** Places remembered for each half of the memory: some 2 MB in all. */
const defaultPlacesMax = 10_000;

/**
 * The places of a log that have been passed. A place that is not among them is of a history that was
 * lost, or ahead. Bounded: the older half of the memory goes when the younger is full.
 */
export class KnownPlaces {
  readonly #placesMax: number;
  #recent = new Map<number, string>();
  #older = new Map<number, string>();
  #recentBeganAt = 0;
  #knownSince = 0;

  constructor(placesMax = defaultPlacesMax) {
    this.#placesMax = placesMax;
  }

  /** Begins at a place, without a memory of anything before it. */
  begin(place: Place): void {
    this.#recent = new Map();
    this.#older = new Map();
    this.#recentBeganAt = place.sequence;
    this.#knownSince = place.sequence;
    this.pass(place);
  }

  /** The log has been read to here, or past it. */
  pass({ sequence, identity }: Place): void {
    this.#recent.set(sequence, identity);
    if (this.#recent.size < this.#placesMax) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#knownSince = this.#recentBeganAt;
    this.#recentBeganAt = sequence;
  }

  /** Whether a place was passed; undefined for one before everything that is remembered. */
  has({ sequence, identity }: Place): boolean | undefined {
    if (sequence < this.#knownSince) return undefined;
    return (this.#recent.get(sequence) ?? this.#older.get(sequence)) === identity;
  }
}
