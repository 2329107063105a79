/**
 * The best of the places below a count, best first, from an offset on: by a heap of as many as are
 * wanted, so that all others are looked at once.
 *
 * @param compare negative when the first of two places is the better one; never 0 for two places
 */
export function bestOf(
  count: number,
  { offset, limit }: { offset: number; limit: number },
  compare: (left: number, right: number) => number,
): number[] {
  const size = Math.min(offset + limit, count);
  if (size === 0) return [];
  // The worst of the best stands first.
  const heap = new Int32Array(size);
  for (let place = 0; place < size; place++) siftUp(heap, place, compare);
  for (let place = size; place < count; place++) {
    if (compare(place, heap[0] as number) < 0) siftDown(heap, place, compare);
  }
  return [...heap.toSorted(compare).subarray(offset)];
}

/** Adds a place to a heap of as many as it stands for. */
function siftUp(
  heap: Int32Array,
  place: number,
  compare: (left: number, right: number) => number,
): void {
  let at = place;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(place, heap[parent] as number) < 0) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = place;
}

/** Puts a place where the first one stood. */
function siftDown(
  heap: Int32Array,
  place: number,
  compare: (left: number, right: number) => number,
): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const isRightWorse =
      child + 1 < heap.length && compare(heap[child] as number, heap[child + 1] as number) < 0;
    if (isRightWorse) child += 1;
    if (compare(place, heap[child] as number) > 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = place;
}
