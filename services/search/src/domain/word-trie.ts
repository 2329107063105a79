/** A node has 11 bytes, a word about 4 nodes of its own: some 92 MB, and two million words, at most. */
const maxNodes = 2 ** 23;

/** Words by their letters, in arrays of numbers: a tenth of what as many strings would cost. */
export class WordTrie {
  /** The node that all words begin at. */
  readonly root = 0;
  #size = 1;
  #letters = new Uint16Array(64);
  #isWord = new Uint8Array(64);
  /** 0 where there is none. */
  #firstChild = new Uint32Array(64);
  #nextSibling = new Uint32Array(64);

  /** Adds a word, or nothing once there is no room for it. */
  add(word: string): void {
    if (this.#size + word.length > maxNodes) return;
    let node = this.root;
    for (let at = 0; at < word.length; at++) {
      const letter = word.charCodeAt(at);
      node = this.child(node, letter) || this.#addChild(node, letter);
    }
    this.#isWord[node] = 1;
  }

  /** The node that these letters lead to; undefined when no word begins so. */
  find(letters: string): number | undefined {
    let node = this.root;
    for (let at = 0; at < letters.length; at++) {
      node = this.child(node, letters.charCodeAt(at));
      if (node === 0) return undefined;
    }
    return node;
  }

  /** 0 when there is none. */
  child(node: number, letter: number): number {
    let child = this.firstChild(node);
    while (child !== 0 && this.#letters[child] !== letter) child = this.nextSibling(child);
    return child;
  }

  /** 0 when there is none. */
  firstChild(node: number): number {
    return this.#firstChild[node] ?? 0;
  }

  /** 0 when there is none. */
  nextSibling(node: number): number {
    return this.#nextSibling[node] ?? 0;
  }

  /** The letter that leads to a node, as UTF-16 has it. */
  letter(node: number): number {
    return this.#letters[node] ?? 0;
  }

  isWord(node: number): boolean {
    return this.#isWord[node] === 1;
  }

  #addChild(node: number, letter: number): number {
    if (this.#size === this.#letters.length) this.#grow();
    const child = this.#size++;
    this.#letters[child] = letter;
    this.#nextSibling[child] = this.firstChild(node);
    this.#firstChild[node] = child;
    return child;
  }

  #grow(): void {
    const length = 2 * this.#size;
    this.#letters = grown(this.#letters, new Uint16Array(length));
    this.#isWord = grown(this.#isWord, new Uint8Array(length));
    this.#firstChild = grown(this.#firstChild, new Uint32Array(length));
    this.#nextSibling = grown(this.#nextSibling, new Uint32Array(length));
  }
}

function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
