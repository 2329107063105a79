/** A value whose size may grow while it is kept; see {@link SizedMap.grow}. */
interface Slot<Value> {
  value: Value;
  sizeBytes: number;
  /** Asked for since it was last passed over. */
  isUsed: boolean;
}

/**
 * Values by key, bounded in bytes by what their keeper says they weigh. Beyond the bound the oldest
 * ones go that nobody asked for lately (second chance: as good as least recently used here, and a
 * reader pays for a flag instead of a move).
 */
export class SizedMap<Value> {
  readonly #maxSizeBytes: number;
  readonly #slots = new Map<string, Slot<Value>>();
  #sizeBytes = 0;
  #evictedCount = 0;

  constructor(maxSizeBytes: number) {
    this.#maxSizeBytes = maxSizeBytes;
  }

  /** Bytes of everything that is kept. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The bound. */
  get maxSizeBytes(): number {
    return this.#maxSizeBytes;
  }

  /** How many values went for the room of others, since the beginning. */
  get evictedCount(): number {
    return this.#evictedCount;
  }

  /** Number of values. */
  get count(): number {
    return this.#slots.size;
  }

  get(key: string): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    slot.isUsed = true;
    return slot.value;
  }

  /** Keeps a value, unless it alone is beyond the bound. */
  set(key: string, value: Value, sizeBytes: number): void {
    this.delete(key);
    if (sizeBytes > this.#maxSizeBytes) return;
    this.#slots.set(key, { value, sizeBytes, isUsed: false });
    this.#sizeBytes += sizeBytes;
    this.#makeRoom(key);
  }

  /** Counts more bytes for a value, if it is still the one under the key. */
  grow(key: string, value: Value, bytes: number): void {
    const slot = this.#slots.get(key);
    if (slot?.value !== value) return;
    slot.sizeBytes += bytes;
    this.#sizeBytes += bytes;
    if (slot.sizeBytes > this.#maxSizeBytes) this.delete(key);
    else this.#makeRoom(key);
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#sizeBytes -= slot.sizeBytes;
    this.#slots.delete(key);
  }

  clear(): void {
    this.#slots.clear();
    this.#sizeBytes = 0;
  }

  /** Lets go of others than `kept` until the rest fits; `kept` fits by itself. */
  #makeRoom(kept: string): void {
    while (this.#sizeBytes > this.#maxSizeBytes) {
      const oldest = this.#slots.entries().next().value;
      if (oldest === undefined) return;
      const [key, slot] = oldest;
      if (slot.isUsed || key === kept) {
        slot.isUsed = false;
        this.#slots.delete(key);
        this.#slots.set(key, slot);
      } else {
        this.delete(key);
        this.#evictedCount += 1;
      }
    }
  }
}
