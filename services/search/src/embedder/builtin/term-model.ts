import { toUnitLength } from "../embedder.ts";
import { termWeight } from "./corpus.ts";
import { numbersOf } from "./find-subspace.ts";
import type { Terms } from "./text-terms.ts";

/** The trained vectors of terms. */
interface TermModel {
  readonly dimensions: number;
  readonly terms: readonly string[];
  /** Of each term; see `Corpus`. */
  readonly rarity: Float32Array;
  /** A row for each term. */
  readonly vectors: Float32Array;
}

/** Unknown terms have random directions, so that equal ones match; known ones weigh more. */
const unknownWeight = 0.15;

/** Computes vectors of terms by a model. */
export class TermSpace {
  readonly #model: TermModel;
  readonly #numberOf: ReadonlyMap<string, number>;

  constructor(model: TermModel) {
    this.#model = model;
    this.#numberOf = new Map(model.terms.map((term, number) => [term, number]));
  }

  /** The vector of a text's terms, of unit length. */
  vectorOf(terms: Terms): Float32Array {
    const { dimensions, rarity, vectors } = this.#model;
    const sum = new Float32Array(dimensions);
    for (const [term, count] of terms) {
      const number = this.#numberOf.get(term);
      if (number === undefined) {
        addUnknown(sum, term, count);
        continue;
      }
      const weight = termWeight(count, rarity[number] ?? 0);
      const from = number * dimensions;
      for (let index = 0; index < dimensions; index++) {
        sum[index] = (sum[index] ?? 0) + weight * (vectors[from + index] ?? 0);
      }
    }
    if (sum.every((value) => value === 0)) addUnknown(sum, "", 1);
    toUnitLength(sum);
    return sum;
  }
}

function addUnknown(sum: Float32Array, term: string, count: number): void {
  const numbers = numbersOf(term);
  const scale = (unknownWeight * Math.log1p(count)) / Math.sqrt(sum.length);
  for (let index = 0; index < sum.length; index++)
    sum[index] = (sum[index] ?? 0) + scale * numbers();
}

/**
 * A model as bytes, little endian: length of the JSON in bytes (uint32), JSON `{dimensions, terms}`, rarity (float32
 * each), scale of each row (float32), rows (int8).
 */
export function encodeModel({ dimensions, terms, rarity, vectors }: TermModel): Uint8Array {
  const json = Buffer.from(JSON.stringify({ dimensions, terms }));
  const bytes = Buffer.alloc(4 + json.length + terms.length * (8 + dimensions));
  bytes.writeUInt32LE(json.length, 0);
  json.copy(bytes, 4);
  const rarities = 4 + json.length;
  const scales = rarities + terms.length * 4;
  const rows = scales + terms.length * 4;
  for (let number = 0; number < terms.length; number++) {
    const row = vectors.subarray(number * dimensions, (number + 1) * dimensions);
    const scale = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1;
    bytes.writeFloatLE(rarity[number] ?? 0, rarities + number * 4);
    bytes.writeFloatLE(scale, scales + number * 4);
    for (const [index, value] of row.entries()) {
      bytes.writeInt8(Math.round(value / scale), rows + number * dimensions + index);
    }
  }
  return bytes;
}

export function decodeModel(encoded: Uint8Array): TermModel {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const jsonLength = bytes.readUInt32LE(0);
  const { dimensions, terms } = JSON.parse(bytes.toString("utf8", 4, 4 + jsonLength)) as Pick<
    TermModel,
    "dimensions" | "terms"
  >;
  const rarities = 4 + jsonLength;
  const scales = rarities + terms.length * 4;
  const rows = scales + terms.length * 4;
  const rarity = Float32Array.from(terms, (_, number) => bytes.readFloatLE(rarities + number * 4));
  const vectors = new Float32Array(terms.length * dimensions);
  for (let number = 0; number < terms.length; number++) {
    const scale = bytes.readFloatLE(scales + number * 4);
    for (let at = number * dimensions; at < (number + 1) * dimensions; at++) {
      vectors[at] = bytes.readInt8(rows + at) * scale;
    }
  }
  return { dimensions, terms, rarity, vectors };
}
