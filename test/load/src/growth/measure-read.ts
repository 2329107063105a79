import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { percentile } from "../percentile.ts";
import type { Read } from "./growth-questions.ts";

/** Fewest requests of a round, however long a read takes. */
const minAsks = 16;
/** For a response that outlasts the round; the gateway's own timeout is shorter. */
const timeoutMs = 60_000;

/** Time until a response, in milliseconds. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The costs of a read, alone and with eight at once. */
export interface ReadCost {
  readonly name: string;
  readonly alone: Latency;
  readonly eight: Latency & { readonly perSecond: number };
  /** Processor time per request in milliseconds, alone, by part of the product. */
  readonly processorMs: Readonly<Record<string, number>>;
  /** Mean size of a response that is not compressed. */
  readonly answerBytes: number;
  /** Responses other than 200. */
  readonly refused: number;
  readonly asked: number;
}

/** How reads are measured. */
export interface ReadSettings {
  readonly url: string;
  readonly roundSeconds: number;
  /** Seconds of processors used up to now, by part of the product. */
  readonly processors: () => Promise<Readonly<Record<string, number>>>;
}

/** Asks a read's questions in turn: a warm-up, then one at a time, then eight at once. */
export async function measureRead(read: Read, settings: ReadSettings): Promise<ReadCost> {
  const { url, roundSeconds, processors } = settings;
  const pool = new Pool(url, { connections: 8, bodyTimeout: timeoutMs, headersTimeout: timeoutMs });
  try {
    let next = 0;
    let refused = 0;
    let asked = 0;
    let bytes = 0;
    const ask = async (): Promise<number> => {
      const question = read.questions[next++ % read.questions.length];
      if (question === undefined) throw new Error(`${read.name} has no questions`);
      const { path, body } = question;
      const startedAtMs = performance.now();
      const response = await pool.request({
        path,
        method: body === undefined ? "GET" : "POST",
        ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
      });
      bytes += (await response.body.arrayBuffer()).byteLength;
      asked += 1;
      if (response.statusCode !== 200) refused += 1;
      return performance.now() - startedAtMs;
    };
    const round = async (concurrency: number, seconds: number): Promise<number[]> => {
      const endAtMs = performance.now() + seconds * 1_000;
      const tookMs: number[] = [];
      const work = async () => {
        while (performance.now() < endAtMs || tookMs.length < minAsks) tookMs.push(await ask());
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return tookMs;
    };
    await round(2, roundSeconds / 2);
    const before = await processors();
    const alone = await round(1, roundSeconds);
    const after = await processors();
    const startedAtMs = performance.now();
    const eight = await round(8, roundSeconds);
    const perSecond = (eight.length * 1_000) / (performance.now() - startedAtMs);
    // Until the database has ended abandoned queries, which would slow down the next read.
    await sleep(500);
    const processorMs = Object.entries(after).map(
      ([part, seconds]) =>
        [part, ((seconds - (before[part] ?? 0)) * 1_000) / alone.length] as const,
    );
    return {
      name: read.name,
      alone: latencyOf(alone),
      eight: { ...latencyOf(eight), perSecond },
      processorMs: Object.fromEntries(processorMs),
      answerBytes: bytes / asked,
      refused,
      asked,
    };
  } finally {
    await pool.close();
  }
}

function latencyOf(tookMs: readonly number[]): Latency {
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
}
