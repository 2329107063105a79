import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachMigratedDatabase, runCli, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { variablesFor } from "./stack-on.ts";

interface Check {
  name: string;
  finding?: string;
  problem?: string;
}

describeOnEachMigratedDatabase(
  "maintenance of a stack",
  (testDatabase) => {
    let stack: TestStack;
    let database: Database;
    beforeAll(async () => {
      stack = await startStack({ parameters: ["--empty"], env: variablesFor(testDatabase) });
      database = await openDatabase(testDatabase.options());
      await database.write(
        "alter table changelog.entry add constraint no_bad check (context_id <> 'bad')",
      );
    });
    afterAll(async () => {
      await database.close();
      await stack.stop();
    });

    const command = (...parameters: string[]) =>
      runCli([...parameters, "--data-dir", stack.dataDirectory]);
    const doctor = async () => {
      const { stdout } = await command("doctor", "--json");
      const { checks } = JSON.parse(stdout) as { checks: Check[] };
      return new Map(checks.map((check) => [check.name, check]));
    };

    it("reports a quarantined entry by doctor and by command, and applies it on retry", async () => {
      const lines = ["good", "bad", "better"].map((id) =>
        JSON.stringify({ kind: "offer", record: { id, namespace: "ns", title: id } }),
      );
      await runCli(["import", "-", "--data-dir", stack.dataDirectory], {
        stdin: `${lines.join("\n")}\n`,
      });
      await expect
        .poll(async () => (await command("quarantine")).stdout, { timeout: 30_000 })
        .toContain("changelog: catalog 2, offer bad: error: ");
      const sick = await doctor();
      expect(sick.get("log of catalog")?.finding).toMatch(/^entries 1 to 3, .* MiB/);
      expect(sick.get("changelog follows catalog")?.problem).toContain("1 entries are quarantined");
      expect(sick.get("search follows catalog")?.finding).toMatch(/^applied to 3, 0 behind, by /);

      await database.write("alter table changelog.entry drop constraint no_bad");
      const retried = await command("quarantine", "retry");
      expect(retried).toMatchObject({ status: 0, stdout: "1 applied, 0 left.\n" });
      expect((await doctor()).get("changelog follows catalog")?.finding).toMatch(/^applied to 3/);
    });

    it("reports a reindex by command and by doctor", async () => {
      const reindexed = await command("reindex", "--json");
      expect(reindexed).toMatchObject({ status: 0, stdout: '{"indexed":6}\n' });
      const reported = await command("reindex", "--status", "--json");
      expect(JSON.parse(reported.stdout)).toMatchObject({ phase: "done", indexed: 6, total: 6 });
      expect((await doctor()).get("reindex")?.finding).toContain("done, 6 of 6 records");
      expect(await command("reindex", "--cancel")).toMatchObject({
        status: 0,
        stdout: "No reindex is in progress.\n",
      });
      expect((await command("reindex", "--status", "--cancel")).status).toBe(2);
    });

    it("rebuilds the data of one service at a time", async () => {
      await database.write("update changelog.scope set entries = 99");
      expect(await command("rebuild", "changelog", "--json")).toMatchObject({
        status: 0,
        stdout: '{"service":"changelog","indexed":0}\n',
      });
      const counts = await database.read("select entries from changelog.scope where kind = 'all'");
      expect(counts).toEqual([{ entries: 3n }]);
      expect(await command("rebuild", "search", "--json")).toMatchObject({
        status: 0,
        stdout: '{"service":"search","indexed":6}\n',
      });
      const wrong = await command("rebuild", "catalog");
      expect(wrong.status).not.toBe(0);
      expect(wrong.stderr).toContain("Name what to rebuild: changelog or search.");
    });
  },
  ["postgres"],
);
