import { PGlite } from "@electric-sql/pglite";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyMigratedDatabase } from "../stack/copy-migrated-database.ts";
import { noOtherStack, runCli } from "../stack/run-cli.ts";
import { runStatement } from "./run-statement.ts";
import type { TestServer } from "./server-process.ts";

/** The initial contents of a test's database: nothing, or the schemas of all services. */
export type DatabaseContents = "nothing" | "schemas";

/** Makes a file that databases in memory are loaded from; its URL is the file's path. */
export async function makeSnapshot(contents: DatabaseContents): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), "storefront-snapshot-"));
  if (contents === "schemas") await copyMigratedDatabase(directory);
  const lite =
    contents === "schemas"
      ? await PGlite.create({ dataDir: join(directory, "pgdata") })
      : await PGlite.create();
  // The snapshot needs no template databases: without them it loads in two thirds of the time.
  await lite.exec("update pg_database set datistemplate = false");
  await lite.exec("drop database template0");
  await lite.exec("drop database template1");
  // So that loading it does not replay its log.
  await lite.exec("checkpoint");
  const dump = await lite.dumpDataDir("none");
  await lite.close();
  const file = join(directory, "snapshot.tar");
  await writeFile(file, dump.stream());
  await rm(join(directory, "pgdata"), { recursive: true, force: true });
  return { url: file, stop: () => rm(directory, { recursive: true, force: true }) };
}

/** Makes a database to copy others from, on a server; its URL is the database's name. */
export async function makeTemplate(
  contents: DatabaseContents,
  serverUrl: string,
): Promise<TestServer> {
  if (contents === "nothing") return { url: "template1", stop: () => Promise.resolve() };
  const name = `template_${randomUUID().replaceAll("-", "")}`;
  await runStatement(serverUrl, `create database ${name}`);
  const { status, stderr } = await runCli(["migrate"], {
    env: { ...noOtherStack, DATABASE_URL: new URL(name, serverUrl).href },
  });
  if (status !== 0) throw new Error(`The template was not migrated:\n${stderr}`);
  // A connection to a template, even of autovacuum, prevents copies of it.
  await runStatement(serverUrl, `alter database ${name} with allow_connections false`);
  return { url: name, stop: () => runStatement(serverUrl, `drop database ${name}`) };
}
