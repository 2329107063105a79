import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSource } from "../src/import/open-source.ts";
import type { Source } from "../src/import/open-source.ts";
import { UserError } from "../src/user-error.ts";

async function contentOf(source: Source): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("openSource", () => {
  let files: TemporaryDirectory;
  beforeAll(async () => {
    files = await makeTemporaryDirectory();
  });
  afterAll(() => files.remove());

  it("detects gzip by its bytes, not by its name", async () => {
    const misnamed = files.file("plain.gz");
    const compressed = files.file("compressed.txt");
    await writeFile(misnamed, "plain\n");
    await writeFile(compressed, gzipSync("compressed\n"));
    expect(await contentOf(await openSource(misnamed))).toBe("plain\n");
    expect(await contentOf(await openSource(compressed))).toBe("compressed\n");
  });

  it("reads every member of a concatenated gzip, in chunks of any size", async () => {
    const bytes = Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]);
    const stdin = Readable.from([...bytes].map((byte) => Buffer.of(byte)));
    const source = await openSource("-", stdin);
    expect(await contentOf(source)).toBe("one\ntwo\n");
    expect(source.readBytes()).toBe(bytes.length);
  });

  it("reads an empty file and one of a single byte", async () => {
    expect(await contentOf(await openSource("-", Readable.from([])))).toBe("");
    expect(await contentOf(await openSource("-", Readable.from([Buffer.from("x")])))).toBe("x");
  });

  it("fails at the end of a truncated gzip file", async () => {
    const cut = gzipSync("x".repeat(1000)).subarray(0, 20);
    const source = await openSource("-", Readable.from([cut]));
    await expect(contentOf(source)).rejects.toMatchObject({ code: "Z_BUF_ERROR" });
  });

  it("rejects a missing file, and a directory", async () => {
    await expect(openSource(files.file("missing"))).rejects.toBeInstanceOf(UserError);
    await expect(openSource(files.path)).rejects.toBeInstanceOf(UserError);
  });
});
