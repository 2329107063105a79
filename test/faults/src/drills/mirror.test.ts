import {
  drillsAreLong,
  freePort,
  makeTemporaryDirectory,
  Seeded,
  startStack,
} from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { measureLags } from "./measure-lags.ts";
import { ingestToken } from "./start-fleet.ts";
import { SupervisedProgram } from "./supervised-program.ts";
import { trueChanges } from "./true-changes.ts";
import { writeWithoutEnd } from "./write-without-end.ts";

const kills = drillsAreLong ? 50 : 6;

/** Pause of two writers with ten observations a batch: 200 a second, minus the time of responses. */
const writerPauseMs = 90;

/** Longest pause between two kills, in milliseconds: some hit during the recovery from the previous one, some later. */
const pauseMs = drillsAreLong ? 12_000 : 4000;

/** How long lags are measured before the first kill, in milliseconds. */
const undisturbedMs = drillsAreLong ? 30_000 : 5000;

const testTimeoutMs = drillsAreLong ? 1_800_000 : 600_000;

/** Printed; set it to repeat the same kills. */
const seed = Number(process.env["DRILLS_SEED"] ?? Date.now() % 1_000_000);

describe(`a mirror of a stack under continuous writes (DRILLS_SEED=${seed})`, () => {
  let files: TemporaryDirectory;
  let random: Seeded;
  let origin: TestStack;
  let copy: TestStack;
  let gateway: SupervisedProgram;
  let originUrl: string;

  beforeAll(async () => {
    random = new Seeded(seed);
    files = await makeTemporaryDirectory();
    const env = { INGEST_TOKEN: ingestToken };
    [origin, copy] = await Promise.all([startStack({ env }), startStack({ env })]);
    const port = await freePort();
    originUrl = `http://127.0.0.1:${port}`;
    const urls = Object.entries(origin.services).map(([name, { url }]) => [
      `${name.toUpperCase()}_URL`,
      url,
    ]);
    gateway = new SupervisedProgram({
      main: "gateway/src/main.ts",
      env: {
        ...Object.fromEntries(urls),
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        SHUTDOWN_DELAY_SECONDS: "0",
      },
    });
  }, testTimeoutMs);
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([origin, copy].map((stack) => stack.stop()));
    await files.remove();
  }, testTimeoutMs);

  /** Resolves when the snapshot is applied. */
  async function isFollowing(): Promise<void> {
    const path = `${copy.dataDirectory}/mirror.json`;
    const isFollowed = async () => expect(await readFile(path, "utf8")).toContain('"cursor":');
    await vi.waitFor(isFollowed, { timeout: 120_000, interval: 500 });
  }

  async function exported(stack: TestStack): Promise<string> {
    const out = files.file("exported.ndjson");
    const { status, stderr } = await stack.cli(["export", "--out", out]);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return await readFile(out, "utf8");
  }

  it(
    "exports the same bytes after kills of either side at random moments",
    async () => {
      const grpcPort = (service: string) =>
        Number(origin.services[service]?.grpcAddress.split(":").at(-1));
      const writers = writeWithoutEnd(
        { grpcPort },
        { ...trueChanges(random), pauseMs: writerPauseMs },
      );
      const startMirror = () => copy.startCli(["mirror", originUrl, "--json"]);
      let mirror = startMirror();
      const targets: Record<string, () => Promise<void>> = {
        "the origin's gateway": () => gateway.kill(),
        "the origin's services": async () =>
          void process.kill(await origin.servicesPid(), "SIGKILL"),
        "the copy's services": async () => void process.kill(await copy.servicesPid(), "SIGKILL"),
        "the mirror": async () => {
          mirror.process.kill("SIGKILL");
          await mirror.ended;
          mirror = startMirror();
        },
      };
      await isFollowing();
      const followedSinceMs = Date.now();
      await setTimeout(undisturbedMs);
      const killedSinceMs = Date.now();
      for (let kill = 0; kill < kills; kill++) {
        await setTimeout(pauseMs * random.number());
        // The services of a stack may be dead already.
        await targets[random.pick(Object.keys(targets))]?.().catch(() => undefined);
      }
      await writers.stop();
      const stoppedMs = Date.now();
      const expected = await vi.waitFor(() => exported(origin), {
        timeout: 120_000,
        interval: 1000,
      });
      const wanted = expected.split("\n");
      await vi.waitFor(
        async () => {
          const lines = (await exported(copy)).split("\n");
          const differing = wanted.filter((line, index) => line !== lines[index]);
          expect([differing.slice(0, 3), lines.length]).toEqual([[], wanted.length]);
        },
        { timeout: 180_000, interval: 1000 },
      );
      mirror.process.kill("SIGTERM");
      expect((await mirror.ended).status).toBe(0);
      // Lags are measured, not asserted: the machine has other work.
      const figures = {
        kills,
        lines: wanted.length,
        undisturbed: await measureLags(origin, copy, followedSinceMs, killedSinceMs),
        killed: await measureLags(origin, copy, killedSinceMs, stoppedMs),
      };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    },
    testTimeoutMs,
  );
});
