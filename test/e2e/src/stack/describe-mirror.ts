import { startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  exportedLines,
  importLines,
  smallCatalogue,
  untilExported,
  untilMirrored,
} from "../exported-lines.ts";
import type { Observation } from "../model/read-observations.ts";
import { variedWrites } from "../varied-writes.ts";
import type { SharedStack } from "./shared-stack.ts";

/** Tests of the shared stack. */
export function describeMirror(shared: () => SharedStack): void {
  describe("a mirror of a stack", () => {
    let origin: SharedStack;
    let copy: TestStack;
    let observations: Observation[];
    let mirror: ReturnType<TestStack["startCli"]>;

    beforeAll(async () => {
      observations = await smallCatalogue();
      origin = shared();
      copy = await startStack();
      await importLines(origin, observations);
      await writeSome("before the snapshot", "2025-07-01");
      mirror = copy.startCli(["mirror", origin.gatewayUrl, "--json"]);
    });
    afterAll(() => copy.stop());

    /** Changes, deletes, moves, creates and forgets records of mirrored kinds, and writes entries of other sources. */
    async function writeSome(title: string, day: string): Promise<void> {
      await importLines(origin, variedWrites(observations, title, day));
      const forgotten = await origin.cli(["forget", "offer", `forgotten ${title}`]);
      expect(forgotten.stdout).toContain("Forgot the record");
    }

    it("exports the same bytes once it has caught up, after any write", async () => {
      await untilMirrored(copy);
      await writeSome("after the snapshot", "2025-08-01");
      const same = untilExported(copy, await exportedLines(origin), 60_000);
      await expect(same).resolves.toBeUndefined();
    });

    it("resumes after it was killed, and rejects another origin and a stack that is not empty", async () => {
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
      await untilExported(copy, await exportedLines(origin), 60_000);
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
