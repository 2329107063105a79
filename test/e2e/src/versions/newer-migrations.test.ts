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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestToken } from "./start-release.ts";

const services = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

/** How often readiness and logs are looked at, in milliseconds. */
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

    const runMigrate = (parameters: readonly string[]) =>
      runCli(["migrate", ...parameters], { env: { DATABASE_URL: database.options().url } });

    /** What the next release would do. */
    const migrateFurther = async (schema: string) => {
      const directory = files.file(schema);
      await cp(join(today.root, "services", schema, "migrations"), directory, { recursive: true });
      await writeFile(join(directory, `${newer}.sql`), "create table later (id int);");
      expect((await migrate(db, { schema, directory })).applied).toEqual([newer]);
    };

    const start = (service: string) => {
      const prefix = service.toUpperCase();
      return startProgram({
        main: `services/${service}/src/main.ts`,
        env: {
          DATABASE_URL: database.options().url,
          INGEST_TOKEN: ingestToken,
          SHUTDOWN_DELAY_SECONDS: "0",
          // Nobody listens there: what a service follows may be away.
          CATALOG_URL: "http://127.0.0.1:1",
          PRICING_URL: "http://127.0.0.1:1",
          CHANGELOG_URL: "http://127.0.0.1:1",
          [`${prefix}_PORT`]: "0",
          [`${prefix}_GRPC_PORT`]: "0",
        },
      });
    };
    const isReady = async ({ url }: RunningProgram) => {
      const response = await fetch(`${url}/readyz`);
      await response.arrayBuffer();
      return response.ok;
    };
    const linesAbout = (program: RunningProgram) => program.log().filter((line) => "newer" in line);

    describe.each(services)("with %s", (service) => {
      it("leaves a running one ready, which logs it once, and lets one start that was rolled back", async () => {
        const running = await start(service);
        while (!(await isReady(running))) await setTimeout(lookEveryMs);
        expect(linesAbout(running)).toEqual([]);

        await migrateFurther(service);
        expect(await isReady(running)).toBe(true);
        while (linesAbout(running).length === 0) await setTimeout(lookEveryMs);
        expect(await isReady(running)).toBe(true);
        expect(linesAbout(running)).toMatchObject([{ level: "info", schema: service }]);
        await running.stop();
        // What it logs is complete when it has ended.
        expect(linesAbout(running)).toHaveLength(1);

        const rolledBack = await start(service);
        while (!(await isReady(rolledBack))) await setTimeout(lookEveryMs);
        await rolledBack.stop();
      });

      it("lets the older program's migration end well, which says what it leaves", async () => {
        const { status, stdout, stderr } = await runMigrate(["--service", service, "--json"]);
        expect(status).toBe(0);
        expect(stderr).toContain(newer);
        expect(JSON.parse(stdout)).toEqual({
          applied: { [service]: [] },
          newer: { [service]: [newer] },
        });
      });
    });

    it("is refused where an own migration was edited", async () => {
      await db.write("update reviews.migration set checksum = 'x' where name like '0001%'");
      expect((await runMigrate(["--service", "reviews"])).status).toBe(1);
      const running = await start("reviews");
      expect(await isReady(running)).toBe(false);
      await running.stop();
    });
  },
  ["postgres"],
);
