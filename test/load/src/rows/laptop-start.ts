import { makeTemporaryDirectory, startStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { limitRow } from "../row.ts";
import type { Row } from "../row.ts";

/** How long after the start memory is read again: search builds its index meanwhile. */
const settleMs = 30_000;

/** As the script `start` sets it for the process of the gateway. */
const env = { NODE_OPTIONS: "--max-semi-space-size=4" };

interface Start {
  readonly name: string;
  readonly seconds: number;
  /** Of both processes, shared pages counted once, when it is ready and after a while. */
  readonly readyMiB: number;
  readonly settledMiB: number;
}

/** Limits of each kind of start: the goals of a laptop. */
const goals = {
  first: { seconds: 20, mebibytes: 600 },
  empty: { seconds: 4, mebibytes: 350 },
  later: { seconds: 3, mebibytes: 600 },
};

type Kind = keyof typeof goals;

/** How long `start` takes until it is ready, and how much of a laptop's memory it uses then. */
export function laptopStart(): Row[] {
  let measuring: Promise<Record<Kind, Start>> | undefined;
  const measureOnce = () => (measuring ??= measureStarts());
  return (["first", "empty", "later"] as const).flatMap((kind): Row[] => [
    limitRow({
      number: 22,
      case: `s from \`start\` to ready, ${kind} start; peer: the goal`,
      limit: goals[kind].seconds,
      async measure(report) {
        const { seconds, name } = (await measureOnce())[kind];
        report(`${name}: ${seconds.toFixed(1)} s`);
        return seconds;
      },
    }),
    limitRow({
      number: 23,
      case: `MiB of both processes of \`start\`, ${kind} start; peer: the goal`,
      limit: goals[kind].mebibytes,
      async measure(report) {
        const { readyMiB, settledMiB, name } = (await measureOnce())[kind];
        report(
          `${name}: ${readyMiB.toFixed(0)} MiB when ready, ${settledMiB.toFixed(0)} MiB later`,
        );
        return Math.max(readyMiB, settledMiB);
      },
    }),
  ]);
}

async function measureStarts(): Promise<Record<Kind, Start>> {
  const full = await makeTemporaryDirectory();
  const bare = await makeTemporaryDirectory();
  try {
    return {
      first: await measureStart("with sample data", full.path, []),
      later: await measureStart("on what is there", full.path, []),
      empty: await measureStart("without sample data", bare.path, ["--empty"]),
    };
  } finally {
    await full.remove();
    await bare.remove();
  }
}

async function measureStart(
  name: string,
  dataDirectory: string,
  parameters: string[],
): Promise<Start> {
  const startedAtMs = performance.now();
  const stack = await startStack({ dataDirectory, parameters, env, makesDatabase: true });
  const seconds = (performance.now() - startedAtMs) / 1000;
  try {
    const pids = async () => [stack.process.pid ?? 0, await stack.servicesPid()];
    const readyMiB = await sharedMebibytes(await pids());
    await sleep(settleMs);
    return { name, seconds, readyMiB, settledMiB: await sharedMebibytes(await pids()) };
  } finally {
    await stack.stop();
  }
}

/** The proportional set size, in which a page counts for each process by its share. Linux only. */
async function sharedMebibytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
      return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? Number.NaN) / 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
