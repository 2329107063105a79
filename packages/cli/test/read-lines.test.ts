import { limits, restoredLineStart } from "@storefront/import-format";
import { describe, expect, it } from "vitest";
import { readLines } from "../src/import/read-lines.ts";
import type { Line } from "../src/import/read-lines.ts";

async function linesOf(...chunks: (string | Uint8Array)[]): Promise<Line[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: Line[] = [];
  for await (const some of readLines(bytes())) lines.push(...some);
  return lines;
}

const textOf = (line: Line) => ("text" in line ? line.text : line.problem);

describe("readLines", () => {
  it("yields the same lines wherever the chunks are cut", async () => {
    const text = '\uFEFF{"a":"é€😀"}\r\n\n  \n{}\n[1]';
    const bytes = Buffer.from(text);
    const whole = await linesOf(bytes);
    expect(whole.map((line) => [line.number, textOf(line)])).toEqual([
      [1, '{"a":"é€😀"}'],
      [4, "{}"],
      [5, "[1]"],
    ]);
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await linesOf(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(whole);
    }
  });

  it("accepts a line of exactly 1 MiB and rejects one byte more", async () => {
    const longest = "x".repeat(limits.lineBytes);
    const lines = await linesOf(`${longest}\r\n`, `${longest}x\n`, "after\n");
    expect(lines.map((line) => "text" in line)).toEqual([true, false, true]);
    expect(lines[2]?.number).toBe(3);
  });

  it("accepts longer restored lines, wherever the chunks are cut", async () => {
    const long = `${restoredLineStart}"x":"${"x".repeat(2 * limits.lineBytes)}"}`;
    for (const cut of [1, restoredLineStart.length, limits.lineBytes, limits.lineBytes + 1]) {
      const lines = await linesOf(long.slice(0, cut), `${long.slice(cut)}\n${long.slice(1)}\n`);
      expect(lines.map(textOf)).toEqual([long, "the line must be at most 1 MiB"]);
    }
  });

  it("does not buffer an overlong line", async () => {
    async function* endless() {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      for (let index = 0; index < 512; index++) yield chunk;
    }
    const before = process.memoryUsage().rss;
    const lines: Line[] = [];
    for await (const some of readLines(endless())) lines.push(...some);
    expect(lines).toHaveLength(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("rejects a line that is not UTF-8 and continues", async () => {
    const lines = await linesOf(Buffer.of(0x7b, 0xc3, 0x0a), "ok\n");
    expect(lines.map((line) => "text" in line)).toEqual([false, true]);
  });
});
