/** Vectors are padded to a multiple of so many dimensions: what the module multiplies at once. */
export const dotStep = 16;

/** Memory that is counted in pages of so many bytes; there are places in it for fewer than 2 ** 32. */
export const pageBytes = 65_536;
const maxPages = 65_535;

/** What is used of it, for no library of types that fits Node has it. */
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
const [loop, branchIf, end, nothing, simd] = [0x03, 0x0d, 0x0b, 0x40, 0xfd];
const load8x8 = [simd, 0x01];
const load = [simd, 0x00];
const zeros = [simd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const lane = (index: number) => [simd, 0x1b, index];
const add4 = [simd, 0xae, 0x01];
const dotPairs = [simd, 0xba, 0x01];

/** Places of the parameters and variables of the function. */
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

/** Adds the products of 8 bytes at `rowAt` + offset with 8 numbers of 16 bits of the query. */
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
  [localGet, local.dimensions, i32Below, branchIf, 0, end],
  [localGet, local.sums],
  [localGet, local.sum, ...lane(0), localGet, local.sum, ...lane(1), i32Add],
  [localGet, local.sum, ...lane(2), i32Add, localGet, local.sum, ...lane(3), i32Add],
  [i32Store, 2, 0],
  [localGet, local.sums, i32Const, 4, i32Add, localSet, local.sums],
  [localGet, local.row, localGet, local.dimensions, i32Add, localTee, local.row],
  [localGet, local.rowsEnd, i32Below, branchIf, 0, end],
  [end],
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

/** Memory whose buffer is another one after it has grown. */
export interface PagedMemory {
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when there is no more. */
  grow(pages: number): number;
}

/** Rows of bytes and what multiplies them. */
export interface DotProducts {
  readonly memory: PagedMemory;
  /**
   * Multiplies each row from `row` to `rowsEnd` with a query of 16 bits a dimension, and puts the sums
   * of their products, of 32 bits, from `sums` on: all of these are places in memory.
   */
  readonly multiply: (
    row: number,
    rowsEnd: number,
    dimensions: number,
    query: number,
    sums: number,
  ) => void;
}

/**
 * Dot products in WebAssembly: JavaScript has no instructions that multiply many numbers at once, and
 * takes several times as long.
 */
export function createDotProducts(): DotProducts {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const { f } = new WebAssembly.Instance(module, { m: { m: memory } }).exports;
  return { memory, multiply: f };
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

/** With its length before it, seven bits a byte. */
function sized(content: number[]): number[] {
  return [(content.length & 0x7f) | 0x80, content.length >> 7, ...content];
}
