import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { tarEntries } from "./tar-entries.ts";

const published = await dataDir();
const archive = gunzipSync(await published.arrayBuffer());

/** The archive with other text at a place of its first header. */
function changed(at: number, text: string): Buffer {
  const bytes = Buffer.from(archive);
  bytes.write(text, at, "latin1");
  return bytes;
}

it("gives the directories and files of an archive", () => {
  const entries = [...tarEntries(archive)];
  expect(entries.some(({ isDirectory }) => isDirectory)).toBe(true);
  const version = entries.find(({ path }) => path === "/PG_VERSION");
  expect(String(version?.content)).toBe("18\n");
});

it.each([
  ["in the middle", archive.length / 2],
  ["in its last header", archive.lastIndexOf("ustar")],
  ["before the blocks that end it", archive.length - 1024],
  ["before anything", 0],
])("refuses an archive that is cut off %s", (_where, length) => {
  expect(() => [...tarEntries(archive.subarray(0, length))]).toThrow("ends before its last block");
});

it.each([
  ["a size that is no number", 124, "0000000000x", "does not say how long"],
  ["no size", 124, "\0", "does not say how long"],
  ["a link", 156, "2", 'of the type "2"'],
])("refuses an archive with %s", (_what, at, text, reason) => {
  expect(() => [...tarEntries(changed(at, text))]).toThrow(reason);
});
