/** Vectors are padded to a multiple of this many dimensions, which one iteration multiplies. */
const dotStep = 16;

/** WebAssembly memory is counted in pages; its offsets are below 2 ** 32. */
const pageBytes = 65_536;
const maxPages = 65_535;

/** The used part of WebAssembly, for which Node's types have no declaration. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  readonly Memory: new (limits: { initial: number; maximum: number }) => PagedMemory;
  readonly Instance: new (
    module: object,
    imports: { m: { m: PagedMemory } },
  ) => { readonly exports: { readonly f: DotProducts["multiply"] } };
};

// Types and instructions of WebAssembly.
const [i32, v128] = [0x7f, 0x7b];
const [localGet, localSet, localTee, i32Const, i32Add, i32Below, i32Store] = [
  0x20, 0x21, 0x22, 0x41, 0x6a, 0x49, 0x36,
];
const [loop, branchIf, endOfBlock, nothing, simd] = [0x03, 0x0d, 0x0b, 0x40, 0xfd];
const load8x8 = [simd, 0x01];
const load = [simd, 0x00];
const zeros = [simd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const lane = (index: number) => [simd, 0x1b, index];
const add4 = [simd, 0xae, 0x01];
const dotPairs = [simd, 0xba, 0x01];

/** Indexes of the function's parameters and variables. */
const local = {
  row: 0,
  rowsEnd: 1,
  dimensions: 2,
  query: 3,
  sums: 4,
  at: 5,
  sum: 6,
  rowAt: 7,
  queryAt: 8,
} as const;

/** Adds the products of 8 bytes at `rowAt` + offset with 8 16-bit numbers of the query. */
const addProducts = (offset: number) =>
  [
    [localGet, local.rowAt, ...load8x8, 0, offset],
    [localGet, local.queryAt, ...load, 0, offset * 2],
    dotPairs,
    add4,
  ].flat();

/** Of {@link DotProducts.multiply}. */
const body = [
  [loop, nothing],
  [...zeros, localSet, local.sum],
  [i32Const, 0, localSet, local.at],
  [loop, nothing],
  [localGet, local.row, localGet, local.at, i32Add, localSet, local.rowAt],
  [localGet, local.query, localGet, local.at, i32Add],
  [localGet, local.at, i32Add, localSet, local.queryAt],
  [localGet, local.sum, ...addProducts(0), ...addProducts(8), localSet, local.sum],
  [localGet, local.at, i32Const, dotStep, i32Add, localTee, local.at],
  [localGet, local.dimensions, i32Below, branchIf, 0, endOfBlock],
  [localGet, local.sums],
  [localGet, local.sum, ...lane(0), localGet, local.sum, ...lane(1), i32Add],
  [localGet, local.sum, ...lane(2), i32Add, localGet, local.sum, ...lane(3), i32Add],
  [i32Store, 2, 0],
  [localGet, local.sums, i32Const, 4, i32Add, localSet, local.sums],
  [localGet, local.row, localGet, local.dimensions, i32Add, localTee, local.row],
  [localGet, local.rowsEnd, i32Below, branchIf, 0, endOfBlock],
  [endOfBlock],
].flat();

const variables = [3, 1, i32, 1, v128, 2, i32];

const module = new WebAssembly.Module(
  Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    // Types: one function of five numbers.
    ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
    // Imports: the memory `m.m`, of one page at least.
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 0, 1]),
    ...section(3, [1, 0]),
    // Exports: the function as `f`.
    ...section(7, [1, 1, 0x66, 0, 0]),
    ...section(10, [1, ...sized([...variables, ...body])]),
  ]),
);

/** Its buffer is replaced when it grows. */
interface PagedMemory {
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when the limit is reached. */
  grow(pages: number): number;
}

/** Rows of bytes and their multiplication. */
interface DotProducts {
  readonly memory: PagedMemory;
  /**
   * Multiplies each row from `row` to `rowsEnd` with a query of 16 bits per dimension, and writes the 32-bit sums from
   * `sums` on. All of these are offsets in memory.
   */
  readonly multiply: (
    row: number,
    rowsEnd: number,
    dimensions: number,
    query: number,
    sums: number,
  ) => void;
}

/** Dot products by WebAssembly SIMD: JavaScript takes several times as long. */
function createDotProducts(): DotProducts {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const { f } = new WebAssembly.Instance(module, { m: { m: memory } }).exports;
  return { memory, multiply: f };
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

/** Prefixes the length, as LEB128. */
function sized(content: number[]): number[] {
  return [(content.length & 0x7f) | 0x80, content.length >> 7, ...content];
}

/** Rows that are multiplied and allocated together. */
export const blockRows = 4_096;

/** Rows of bytes, -127 to 127, to multiply with others. At most 4 GiB. */
export class ByteMatrix {
  readonly #dimensions: number;
  readonly #products = createDotProducts();
  /** Offsets of the sums and the rows; the query is at 0. */
  readonly #sumsAt: number;
  readonly #rowsAt: number;

  constructor(dimensions: number) {
    this.#dimensions = Math.ceil(dimensions / dotStep) * dotStep;
    this.#sumsAt = this.#dimensions * 2;
    this.#rowsAt = this.#sumsAt + blockRows * 4;
  }

  /**
   * Allocates a row.
   *
   * @throws RangeError when the limit is reached.
   */
  reserve(row: number): void {
    const rows = (Math.floor(row / blockRows) + 1) * blockRows;
    const missing =
      this.#rowsAt + rows * this.#dimensions - this.#products.memory.buffer.byteLength;
    if (missing > 0) this.#products.memory.grow(Math.ceil(missing / pageBytes));
  }

  /** The writable bytes of a row, valid until the next reservation. */
  row(row: number): Int8Array {
    const start = this.#rowsAt + row * this.#dimensions;
    return new Int8Array(this.#products.memory.buffer, start, this.#dimensions);
  }

  /** Sets the query of {@link sums}. */
  ask(query: Int8Array): void {
    new Int16Array(this.#products.memory.buffer, 0, this.#dimensions).fill(0).set(query);
  }

  /** The dot products of at most {@link blockRows} rows with the query, valid until the next call. */
  sums(from: number, to: number): Int32Array {
    const start = this.#rowsAt + from * this.#dimensions;
    const end = this.#rowsAt + to * this.#dimensions;
    this.#products.multiply(start, end, this.#dimensions, 0, this.#sumsAt);
    return new Int32Array(this.#products.memory.buffer, this.#sumsAt, to - from);
  }
}

/** The stored form of a vector: 32-bit floats, little endian. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

export function readVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / 4);
  for (let index = 0; index < vector.length; index++) vector[index] = bytes.readFloatLE(index * 4);
  return vector;
}
