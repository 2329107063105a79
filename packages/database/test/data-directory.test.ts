import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../src/index.ts";

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "data-directory-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

it("rejects a directory that another process has locked, and opens it once that was killed", async () => {
  const directory = await newDirectory();
  const program = join(import.meta.dirname, "fixtures/write-until-killed.ts");
  const writer = spawn(process.execPath, [program, directory], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(writer, "close");
  let last = 0;
  let refusal: unknown;
  for await (const line of createInterface(writer.stdout)) {
    last = Number(line);
    if (last === 20) {
      refusal = await openDatabase({ url: `pglite:${directory}` }).catch((error: unknown) => error);
      writer.kill("SIGKILL");
    }
  }
  await ended;
  expect(refusal).toMatchObject({
    code: "DATA_DIRECTORY_IN_USE",
    message: `The data directory ${directory} is in use by process ${writer.pid}.`,
  });
  const db = await openDatabase({ url: `pglite:${directory}` });
  const row = await db.readOne<{ last: number; count: number }>(
    "select max(id) as last, count(*)::int4 as count from written",
  );
  await db.close();
  expect(row?.last).toBeGreaterThanOrEqual(last);
  expect(row?.count).toBe(row?.last);
});

it("shares a directory within a process until the last user closes it", async () => {
  const directory = await newDirectory();
  const url = `pglite:${directory}`;
  const [first, second] = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
  await first.write("create table shared (id int4)");
  await first.close();
  await second.write("insert into shared values (1)");
  const closing = second.close();
  const third = await openDatabase({ url: `pglite:${join(directory, ".")}` });
  await closing;
  expect(await third.read("select id from shared")).toEqual([{ id: 1 }]);
  await third.close();
});

it("takes over the lock of an earlier process with the same number", async () => {
  const directory = await newDirectory();
  const lock = join(directory, "lock");
  await writeFile(lock, `${process.ppid} 1\n`);
  const db = await openDatabase({ url: `pglite:${directory}` });
  expect(await readFile(lock, "utf8")).toMatch(new RegExp(`^${process.pid}\\b`));
  await db.close();
  await expect(readFile(lock)).rejects.toMatchObject({ code: "ENOENT" });
});

it("rejects a directory of a newer version, and leaves it unlocked", async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, "version"), "2\n");
  await expect(openDatabase({ url: `pglite:${directory}` })).rejects.toMatchObject({
    code: "DATA_DIRECTORY_NEWER",
  });
  await expect(readFile(join(directory, "lock"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("starts over where the first start was killed", async () => {
  const directory = await newDirectory();
  await mkdir(join(directory, "pgdata.unfinished"));
  await writeFile(join(directory, "pgdata.unfinished", "PG_VERSION"), "18\n");
  const db = await openDatabase({ url: `pglite:${directory}` });
  expect(await db.probe()).toBeGreaterThan(0);
  await db.close();
});
