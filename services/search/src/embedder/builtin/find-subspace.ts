import { setImmediate as otherWork } from "node:timers/promises";
import { lengthOf, toUnitLength } from "../embedder.ts";
import type { Corpus } from "./corpus.ts";

/** Enough for the directions to converge; more hardly changes rankings. */
const rounds = 4;
/** Longest block of the thread by training, in milliseconds. */
const maxBlockMs = 15;

/**
 * A basis of the corpus's leading right singular vectors, each scaled by the square of its singular value, by
 * randomised subspace iteration (Halko, Martinsson and Tropp, SIAM Review 2011). The scale favours directions that many
 * offers share, which improves searches by meaning. Deterministic; yields to other work.
 *
 * @returns a row of `dimensions` numbers for each term
 */
export async function findSubspace(corpus: Corpus, dimensions: number): Promise<Float32Array> {
  const numbers = numbersOf("subspace");
  let basis = Float32Array.from({ length: corpus.terms.length * dimensions }, numbers);
  const yieldIfDue = createYielding();
  for (let round = 0; round < rounds; round++) {
    basis = await multiply(corpus, basis, dimensions, yieldIfDue);
    await orthonormalise(basis, dimensions, yieldIfDue);
  }
  return await multiply(corpus, basis, dimensions, yieldIfDue);
}

/** `XᵀX · basis`, where the rows of X are the offers. */
async function multiply(
  { terms, starts, termNumbers, weights }: Corpus,
  basis: Float32Array,
  dimensions: number,
  yieldIfDue: () => Promise<void>,
): Promise<Float32Array<ArrayBuffer>> {
  const product = new Float32Array(terms.length * dimensions);
  const projected = new Float32Array(dimensions);
  for (let row = 0; row + 1 < starts.length; row++) {
    if (row % 64 === 0) await yieldIfDue();
    const start = starts[row] ?? 0;
    const end = starts[row + 1] ?? 0;
    projected.fill(0);
    for (let entry = start; entry < end; entry++) {
      const weight = weights[entry] ?? 0;
      const from = (termNumbers[entry] ?? 0) * dimensions;
      for (let index = 0; index < dimensions; index++) {
        projected[index] = (projected[index] ?? 0) + weight * (basis[from + index] ?? 0);
      }
    }
    for (let entry = start; entry < end; entry++) {
      const weight = weights[entry] ?? 0;
      const to = (termNumbers[entry] ?? 0) * dimensions;
      for (let index = 0; index < dimensions; index++) {
        product[to + index] = (product[to + index] ?? 0) + weight * (projected[index] ?? 0);
      }
    }
  }
  return product;
}

/** Modified Gram–Schmidt on the columns, transposed to rows. */
async function orthonormalise(
  basis: Float32Array,
  dimensions: number,
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  const length = basis.length / dimensions;
  const columns = Array.from({ length: dimensions }, (_, column) =>
    Float32Array.from({ length }, (__, row) => basis[row * dimensions + column] ?? 0),
  );
  for (const [index, column] of columns.entries()) {
    await yieldIfDue();
    // To unit length first, since the rest of a column may be tiny.
    toUnitLength(column);
    for (const earlier of columns.slice(0, index)) {
      let share = 0;
      for (let row = 0; row < length; row++) share += (column[row] ?? 0) * (earlier[row] ?? 0);
      for (let row = 0; row < length; row++) {
        column[row] = (column[row] ?? 0) - share * (earlier[row] ?? 0);
      }
    }
    if (lengthOf(column) < negligible) column.fill(0);
    toUnitLength(column);
    for (let row = 0; row < length; row++) basis[row * dimensions + index] = column[row] ?? 0;
  }
}

/** Rounding errors of 32-bit floats: a small corpus has fewer directions than dimensions. */
const negligible = 1e-4;

function createYielding(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < maxBlockMs) return;
    await otherWork();
    sinceMs = performance.now();
  };
}

/** Deterministic numbers from -1 to 1 for a text, equal on every machine. FNV-1a seeds a mulberry32 generator. */
export function numbersOf(text: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
