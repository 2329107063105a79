import { makeTemporaryDirectory, runCli, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readObservations } from "../model/read-observations.ts";
import type { Observation } from "../model/read-observations.ts";
import { variedWrites } from "../varied-writes.ts";
import type { SharedStack } from "./shared-stack.ts";

/** Tests of the shared stack. */
export function describeMirror(shared: () => SharedStack): void {
  describe("a mirror of a stack", () => {
    let files: TemporaryDirectory;
    let origin: SharedStack;
    let copy: TestStack;
    let observations: Observation[];
    let mirror: ReturnType<TestStack["startCli"]>;

    beforeAll(async () => {
      files = await makeTemporaryDirectory();
      const catalogue = files.file("catalogue.ndjson");
      const made = ["--offers", "30", "--seed", "mirror", "--now", "2025-06-01T00:00:00Z"];
      await runCli(["generate", ...made, "--out", catalogue]);
      observations = await readObservations(catalogue);
      origin = shared();
      copy = await startStack();
      await importLines(observations);
      await writeSome("before the snapshot", "2025-07-01");
      mirror = copy.startCli(["mirror", origin.gatewayUrl, "--json"]);
    });
    afterAll(async () => {
      await copy.stop();
      await files.remove();
    });

    async function importLines(lines: readonly object[]): Promise<void> {
      const file = files.file("lines.ndjson");
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const { status, stderr } = await origin.cli(["import", file]);
      expect([status, stderr]).toEqual([0, expect.any(String)]);
    }

    /** Changes, deletes, moves and makes records of each kind that a mirror has, entries of others, and forgets. */
    async function writeSome(title: string, day: string): Promise<void> {
      await importLines(variedWrites(observations, title, day));
      const forgotten = await origin.cli(["forget", "offer", `forgotten ${title}`]);
      expect(forgotten.stdout).toContain("Forgot the record");
    }

    /** Everything but saved queries, which are not mirrored. */
    async function exported(stack: TestStack): Promise<string> {
      const out = files.file("exported.ndjson");
      const { status, stderr } = await stack.cli(["export", "--out", out]);
      expect([status, stderr]).toEqual([0, expect.any(String)]);
      const lines = (await readFile(out, "utf8")).split("\n");
      return lines.filter((line) => !line.startsWith('{"kind":"savedQuery"')).join("\n");
    }

    const cursor = async () => {
      const text = await readFile(`${copy.dataDirectory}/mirror.json`, "utf8").catch(() => "{}");
      return (JSON.parse(text) as { cursor?: string }).cursor;
    };

    /** Resolves when the copy exports this, and shows a few lines that differ when it does not come to that. */
    async function untilSame(expected: string): Promise<void> {
      const wanted = expected.split("\n");
      const isSame = async () => {
        const lines = (await exported(copy)).split("\n");
        expect(wanted.filter((line, index) => line !== lines[index]).slice(0, 3)).toEqual([]);
        expect(lines).toHaveLength(wanted.length);
      };
      await vi.waitFor(isSame, { timeout: 60_000, interval: 1000 });
    }

    it("exports the same to the byte once it has caught up, whatever was written", async () => {
      await vi.waitFor(async () => expect(await cursor()).toBeTypeOf("string"), 120_000);
      await writeSome("after the snapshot", "2025-08-01");
      const expected = await exported(origin);
      await untilSame(expected);
    });

    it("goes on where it was when it is killed, and begins with no other origin and no full stack", async () => {
      mirror.process.kill("SIGKILL");
      await mirror.ended;
      await writeSome("while it is away", "2025-09-01");
      const wrong = await copy.cli(["mirror", origin.gatewayUrl], {
        env: { INGEST_TOKEN: "wrong".repeat(8) },
      });
      expect([wrong.status, wrong.stderr]).toEqual([
        1,
        expect.stringContaining(
          "The copy cannot be written: the catalog service refused the ingest token",
        ),
      ]);
      mirror = copy.startCli(["mirror", `${origin.gatewayUrl}/`, "--json"]);
      const expected = await exported(origin);
      await untilSame(expected);
      mirror.process.kill("SIGTERM");
      const { status, stdout } = await mirror.ended;
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        origin: origin.gatewayUrl,
        cursor: expect.any(String),
        changes: expect.any(Number),
        lagMs: { p99: expect.any(Number) },
      });

      const other = await copy.cli(["mirror", "http://127.0.0.1:9"]);
      expect([other.status, other.stderr]).toEqual([
        1,
        expect.stringContaining(`has the mirror of ${origin.gatewayUrl}`),
      ]);
      const full = await origin.cli(["mirror", copy.gatewayUrl]);
      expect([full.status, full.stderr]).toEqual([
        1,
        expect.stringContaining("a mirror begins in an empty one"),
      ]);
    });
  });
}
