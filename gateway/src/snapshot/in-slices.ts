import { setImmediate } from "node:timers/promises";

/** Lines that are made before others have their turn: a millisecond or two of them. */
const linesPerSlice = 25;

/** What is made of elements, a slice at a time; between two of them the requests of others are answered. */
export async function* inSlices<Element, Made>(
  elements: readonly Element[],
  make: (element: Element) => Made,
): AsyncGenerator<Made[]> {
  for (let start = 0; start < elements.length; start += linesPerSlice) {
    if (start > 0) await setImmediate();
    yield elements.slice(start, start + linesPerSlice).map(make);
  }
}
