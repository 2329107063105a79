import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import {
  describeOnEachMigratedDatabase,
  makeTemporaryDirectory,
  runCli,
  startProgram,
  today,
} from "@storefront/testkit";
import type { RunningProgram, TemporaryDirectory } from "@storefront/testkit";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingestToken } from "./start-release.ts";

/** A service that follows no other; the same code starts and migrates all services. */
const service = "reviews";

/** Poll interval of readiness and logs, in milliseconds. */
const lookEveryMs = 50;

const newer = "9999_add_later";

describeOnEachMigratedDatabase(
  "a database that a newer version has migrated",
  (database) => {
    let db: Database;
    let files: TemporaryDirectory;
    beforeAll(async () => {
      db = await openDatabase(database.options());
      files = await makeTemporaryDirectory();
    });
    afterAll(async () => {
      await db.close();
      await files.remove();
    });

    const runMigrate = (...parameters: string[]) =>
      runCli(["migrate", "--service", service, ...parameters], {
        env: { DATABASE_URL: database.options().url },
      });

    /** Migrates as the next release would. */
    const migrateFurther = async () => {
      const directory = files.file(service);
      await cp(join(today.root, "services", service, "migrations"), directory, { recursive: true });
      await writeFile(join(directory, `${newer}.sql`), "create table later (id int);");
      const { applied } = await migrate(db, { schema: service, directory });
      expect(applied).toEqual([newer]);
    };

    const start = () =>
      startProgram({
        main: `services/${service}/src/main.ts`,
        env: {
          DATABASE_URL: database.options().url,
          INGEST_TOKEN: ingestToken,
          SHUTDOWN_DELAY_SECONDS: "0",
          REVIEWS_PORT: "0",
          REVIEWS_GRPC_PORT: "0",
        },
      });
    const isReady = async ({ url }: RunningProgram) => {
      const response = await fetch(`${url}/readyz`);
      await response.arrayBuffer();
      return response.ok;
    };
    const linesAbout = (program: RunningProgram) => program.log().filter((line) => "newer" in line);

    it("leaves a running service ready, which logs it once, and lets a rolled-back service start", async () => {
      const running = await start();
      while (!(await isReady(running))) await setTimeout(lookEveryMs);
      expect(linesAbout(running)).toEqual([]);

      await migrateFurther();
      expect(await isReady(running)).toBe(true);
      while (linesAbout(running).length === 0) await setTimeout(lookEveryMs);
      expect(await isReady(running)).toBe(true);
      expect(linesAbout(running)).toMatchObject([{ level: "info", schema: service }]);
      await running.stop();
      // Its log is complete when it has ended.
      expect(linesAbout(running)).toHaveLength(1);

      const rolledBack = await start();
      while (!(await isReady(rolledBack))) await setTimeout(lookEveryMs);
      await rolledBack.stop();
    });

    it("lets the older release's migrate command succeed, which reports the newer migrations", async () => {
      const { status, stdout, stderr } = await runMigrate("--json");
      expect(status).toBe(0);
      expect(stderr).toContain(newer);
      expect(JSON.parse(stdout)).toEqual({
        applied: { [service]: [] },
        newer: { [service]: [newer] },
      });
    });

    it("is rejected when a known migration was edited", async () => {
      await db.write("update reviews.migration set checksum = 'x' where name like '0001%'");
      expect((await runMigrate()).status).toBe(1);
      const running = await start();
      expect(await isReady(running)).toBe(false);
      await running.stop();
    });
  },
  ["postgres"],
);
