/**
 * A map of texts that forgets the least recently used ones beyond a size. The size counts two bytes
 * per character of keys and values, as the engine stores them at most.
 */
export class BoundedMap extends Map<string, string> {
  readonly #maxSizeBytes: number;
  #sizeBytes = 0;

  constructor(maxSizeBytes: number) {
    super();
    this.#maxSizeBytes = maxSizeBytes;
  }

  override get(key: string): string | undefined {
    const value = super.get(key);
    if (value !== undefined) {
      // A map keeps the order of insertion: put last, it is forgotten last.
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: string, value: string): this {
    this.delete(key);
    super.set(key, value);
    this.#sizeBytes += sizeOf(key, value);
    for (const oldest of this.keys()) {
      if (this.#sizeBytes <= this.#maxSizeBytes) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: string): boolean {
    const value = super.get(key);
    if (value === undefined) return false;
    this.#sizeBytes -= sizeOf(key, value);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#sizeBytes = 0;
  }
}

function sizeOf(key: string, value: string): number {
  return 2 * (key.length + value.length);
}
