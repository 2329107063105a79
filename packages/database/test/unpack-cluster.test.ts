import type { PGlite } from "@electric-sql/pglite";
import { dataDir as publishedCluster } from "@electric-sql/pglite-prepopulatedfs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPglite, unpackArchive, unpackCluster } from "../src/drivers/open-data-directory.ts";

let directory: string;
let unpacked: PGlite;
let made: PGlite;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "cluster-"));
  const dataDir = join(directory, "pgdata");
  await unpackCluster(dataDir);
  unpacked = await startPglite({ dataDir });
  made = await startPglite();
}, 60_000);

afterAll(async () => {
  await unpacked.close();
  await made.close();
  await rm(directory, { recursive: true });
});

it.each([
  ["catalogue version", "select catalog_version_no, pg_control_version from pg_control_system()"],
  [
    "databases",
    `select datname, encoding, datlocprovider, datcollate, datctype, datlocale
      from pg_database order by datname`,
  ],
  ["roles", "select rolname, rolsuper from pg_roles order by rolname"],
  [
    "settings",
    `select name, setting from pg_settings
      where source not in ('default', 'override') and name <> 'log_timezone' order by name`,
  ],
  ["functions", "select oid, proname, prosrc from pg_proc order by oid"],
  ["relations", "select oid, relname, relkind from pg_class order by oid"],
  ["types", "select oid, typname from pg_type order by oid"],
  ["operators", "select oid, oprname, oprcode from pg_operator order by oid"],
  ["text search", "select cfgname, dictname from pg_ts_config, pg_ts_dict order by 1, 2"],
])("unpacks the same as the database itself creates: %s", async (_what, query) => {
  const [ours, theirs] = await Promise.all([unpacked.query(query), made.query(query)]);
  expect(ours.rows.length).toBeGreaterThan(0);
  expect(ours.rows).toEqual(theirs.rows);
});

it("makes the files readable by their owner only", async () => {
  const { mode } = await stat(join(directory, "pgdata"));
  expect(mode & 0o777).toBe(0o700);
});

const published = await publishedCluster();
const archive = Buffer.from(await published.arrayBuffer());
const whole = gunzipSync(archive);

/** The archive with a byte in the middle changed. */
function corruptArchive(): Buffer {
  const bytes = Buffer.from(archive);
  const middle = bytes.length >> 1;
  bytes[middle] = ~(bytes[middle] ?? 0);
  return bytes;
}

it.each([
  ["is truncated", archive.subarray(0, archive.length / 2), "unexpected end of file"],
  ["contains truncated data", gzipSync(whole.subarray(0, whole.length / 2)), "Truncated"],
  ["is corrupt", corruptArchive(), "incorrect data"],
  ["is empty", archive.subarray(0, 0), "Unrecognized archive"],
  ["is no archive", Buffer.alloc(1_024, "<html>"), "checksum failure"],
])("rejects a file that %s", (what, bytes, refusal) => {
  expect(() => unpackArchive(bytes, join(directory, what))).toThrow(refusal);
});
