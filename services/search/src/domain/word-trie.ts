/** More would make a query slow and match anything. */
const maxCorrections = 50;

interface NearWord {
  readonly word: string;
  readonly edits: number;
  readonly far: number;
}

/**
 * Sort key: by edits, then whole words before prefixes, then by length, which is below 256. Ties are broken
 * alphabetically.
 */
function farness(edits: number, isWhole: boolean, length: number): number {
  return (2 * edits + (isWhole ? 0 : 1)) * 256 + length;
}

/** The nearest 50 words: fewest edits first, whole words before prefixes, shorter ones first. */
export class NearestWords {
  #words: NearWord[] = [];
  /** Farness of the 50th word, once there are that many. */
  #farthest = Infinity;

  /** Whether a word of this length may be among them; if not, no longer one is. */
  takes(edits: number, isWhole: boolean, length: number): boolean {
    return farness(edits, isWhole, length) <= this.#farthest;
  }

  add(word: string, edits: number, isWhole: boolean): void {
    this.#words.push({ word, edits, far: farness(edits, isWhole, word.length) });
    if (this.#words.length < 4 * maxCorrections) return;
    this.#words = this.#sorted();
    this.#farthest = this.#words.at(-1)?.far ?? Infinity;
  }

  sorted(): { word: string; edits: number }[] {
    return this.#sorted().map(({ word, edits }) => ({ word, edits }));
  }

  #sorted(): NearWord[] {
    return this.#words
      .toSorted((a, b) => a.far - b.far || (a.word < b.word ? -1 : 1))
      .slice(0, maxCorrections);
  }
}

/** A node has 11 bytes and a word about 4 own nodes: at most 92 MB and two million words. */
const maxNodes = 2 ** 23;

/** A trie in typed arrays: a tenth of the memory of strings. */
export class WordTrie {
  readonly root = 0;
  #size = 1;
  #letters = new Uint16Array(64);
  #isWord = new Uint8Array(64);
  /** 0 where there is none. */
  #firstChild = new Uint32Array(64);
  #nextSibling = new Uint32Array(64);

  /** Adds a word; ignored when the trie is full. */
  add(word: string): void {
    if (this.#size + word.length > maxNodes) return;
    let node = this.root;
    for (let at = 0; at < word.length; at++) {
      const letter = word.charCodeAt(at);
      node = this.child(node, letter) || this.#addChild(node, letter);
    }
    this.#isWord[node] = 1;
  }

  /** The node of a prefix; undefined when no word has it. */
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

  /** The UTF-16 code unit that leads to a node. */
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
