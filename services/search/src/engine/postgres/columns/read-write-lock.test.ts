import { expect, it } from "vitest";
import { ReadWriteLock } from "./read-write-lock.ts";

it("reads concurrently, writes without readers, and runs a waiting writer before later readers", async () => {
  const lock = new ReadWriteLock();
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const read = (name: string) =>
    lock.read(async () => {
      log.push(`${name} reads`);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      log.push(`${name} has read`);
    });
  const first = read("first");
  const second = read("second");
  const writes = [1, 2].map((n) => lock.write(() => log.push(`write ${n}`)));
  const third = read("third");
  ends.get("second")?.();
  await second;
  expect(log).toEqual(["first reads", "second reads", "second has read"]);
  ends.get("first")?.();
  await Promise.all([first, ...writes]);
  await expect.poll(() => ends.has("third")).toBe(true);
  expect(log.slice(3)).toEqual(["first has read", "write 1", "write 2", "third reads"]);
  ends.get("third")?.();
  await third;
  await lock.write(() => log.push("write 3"));
  expect(log.slice(7)).toEqual(["third has read", "write 3"]);
});

it("runs a waiting writer before a reader that arrives as the last reader ends", async () => {
  const lock = new ReadWriteLock();
  const log: string[] = [];
  const ending = Promise.withResolvers<void>();
  const reading = lock.read(() => ending.promise);
  const writing = lock.write(() => log.push("write"));
  const late = ending.promise.then(() => lock.read(async () => log.push("late")));
  ending.resolve();
  await Promise.all([reading, writing, late]);
  expect(log).toEqual(["write", "late"]);
});

it("continues after a failed reader or writer", async () => {
  const lock = new ReadWriteLock();
  const failing = lock.read(() => Promise.reject(new Error("read")));
  const writing = lock.write(() => {
    throw new Error("write");
  });
  await expect(failing).rejects.toThrow("read");
  await expect(writing).rejects.toThrow("write");
  expect(await lock.read(async () => "again")).toBe("again");
});
