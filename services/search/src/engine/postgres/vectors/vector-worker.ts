import { parentPort } from "node:worker_threads";
import type { VectorMessage } from "./vector-thread.ts";
import { readVector } from "./dot-products.ts";
import { VectorScan } from "./vector-scan.ts";

// Worker thread of VectorThread.
const port = parentPort;
if (port === null) throw new Error("this module is for a thread");
const scan = new VectorScan();
port.on("message", (message: VectorMessage) => {
  if (message.kind === "end") return port.close();
  if (message.kind === "set") return setAll(message);
  const { question, vector, limit, among } = message;
  const numbers = scan.nearest(vector, limit, among);
  port.postMessage({ question, numbers }, [numbers.buffer]);
});

function setAll({ numbers, lengths, bytes }: VectorMessage & { kind: "set" }): void {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (const [index, number] of numbers.entries()) {
    const length = lengths[index] ?? 0;
    scan.set(number, length === 0 ? undefined : readVector(all.subarray(start, start + length)));
    start += length;
  }
}
