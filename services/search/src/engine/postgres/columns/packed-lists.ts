type NumberArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** The array, or a longer copy filled with 0. */
export function grown<Numbers extends NumberArray>(numbers: Numbers, length: number): Numbers {
  if (numbers.length >= length) return numbers;
  // A quarter more, so that gradual growth rarely copies.
  const longer = new (numbers.constructor as new (length: number) => Numbers)(
    Math.ceil(length * 1.25),
  );
  longer.set(numbers);
  return longer;
}

/** An array with 1 at each of these numbers. */
export function flagsOf(numbers: Int32Array): Uint8Array {
  const flags = new Uint8Array(numbers.reduce((most, number) => Math.max(most, number), 0) + 1);
  for (const number of numbers) flags[number] = 1;
  return flags;
}

/** Lists by number, consecutive in one array: separate arrays would be as many objects. */
export class PackedLists<Values extends Uint8Array | Int32Array> {
  /** Where a list starts in `values`. */
  starts = new Uint32Array();
  lengths = new Uint32Array();
  values: Values;
  #used = 0;
  #live = 0;

  constructor(empty: Values) {
    this.values = empty;
  }

  /** Memory in bytes. */
  get sizeBytes(): number {
    return this.starts.byteLength + this.lengths.byteLength + this.values.byteLength;
  }

  set(number: number, list: ArrayLike<number>): void {
    this.starts = grown(this.starts, number + 1);
    this.lengths = grown(this.lengths, number + 1);
    const length = this.lengths[number] ?? 0;
    this.#live += list.length - length;
    if (list.length > length) {
      this.#makeRoom(number, list.length);
      this.starts[number] = this.#used;
      this.#used += list.length;
    }
    this.lengths[number] = list.length;
    this.values.set(list, this.starts[number]);
  }

  #makeRoom(number: number, length: number): void {
    // The list moves: its old space may be overwritten.
    this.lengths[number] = 0;
    if (this.#used + length <= this.values.length) return;
    if (this.#used > 2 * (this.#live + length)) this.#compact();
    this.values = grown(this.values, this.#used + length);
  }

  /** Removes the space of lists that moved. */
  #compact(): void {
    const before = this.values.slice();
    this.#used = 0;
    for (let number = 0; number < this.starts.length; number++) {
      const start = this.starts[number] ?? 0;
      const length = this.lengths[number] ?? 0;
      this.values.set(before.subarray(start, start + length), this.#used);
      this.starts[number] = this.#used;
      this.#used += length;
    }
  }
}

/** Numbers of the terms of each offer. */
export class TermLists extends PackedLists<Int32Array> {
  /** Above every term that ever occurred. */
  termsEnd = 0;

  constructor() {
    super(new Int32Array());
  }

  override set(number: number, terms: readonly number[]): void {
    super.set(number, terms);
    for (const term of terms) if (term >= this.termsEnd) this.termsEnd = term + 1;
  }
}

/** The number of offers with each term, by its number. */
export function countTerms(
  offers: Int32Array,
  { starts, lengths, values: terms, termsEnd }: TermLists,
): Int32Array {
  const counts = new Int32Array(termsEnd);
  for (let index = 0; index < offers.length; index++) {
    const offer = offers[index] as number;
    const start = starts[offer] as number;
    const end = start + (lengths[offer] as number);
    for (let at = start; at < end; at++) (counts[terms[at] as number] as number)++;
  }
  return counts;
}
