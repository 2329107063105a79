import { makeTemporaryDirectory, runCli } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SharedStack } from "./shared-stack.ts";

/** What `storefront import --json` writes. */
interface Summary {
  kinds: Record<string, Record<"read" | "written" | "unchanged" | "stale" | "rejected", number>>;
  unknownMembers: number;
  errors: { file: string; line: number; reason: string }[];
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const observedAt = "2026-01-02T03:04:05.678Z";
const tag = (id: string, more: object = {}) => ({
  kind: "tag",
  op: "upsert",
  observedAt,
  record: { id, name: `Tag ${id}`, ...more },
});

/** Tests of the shared stack. */
export function describeImport(shared: () => SharedStack): void {
  describe("an import", () => {
    let files: TemporaryDirectory;
    let stack: SharedStack;

    beforeAll(async () => {
      files = await makeTemporaryDirectory();
      stack = shared();
    });
    afterAll(() => files.remove());

    const importText = async (text: string | Uint8Array) => {
      const { status, stdout } = await stack.cli(["import", "--json", "-"], { stdin: text });
      return { status, summary: JSON.parse(stdout) as Summary };
    };

    it("applies a record older than a deletion once the deletion is forgotten", async () => {
      const deletion = { ...tag("far", {}), op: "delete" };
      await importText(line(deletion));
      const older = line({ ...tag("far"), observedAt: "2020-01-01T00:00:00Z" });
      expect((await importText(older)).summary.kinds["tag"]).toMatchObject({ stale: 1 });
      const { status, stdout } = await stack.cli(["forget", "tag", "far", "--json"]);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        kind: "tag",
        key: ["far"],
        wasStored: false,
        observedAt,
      });
      expect((await importText(older)).summary.kinds["tag"]).toMatchObject({ written: 1 });
      const again = await stack.cli(["forget", "tag", "far"]);
      expect(again.stdout).toBe("Forgot the record, seen 2020-01-01T00:00:00.000Z.\n");
      const unknown = await stack.cli(["forget", "asset", "a", "Windows", "n"]);
      expect(unknown.stdout).toBe("Nothing was known of it.\n");
    });

    it("reports each line that cannot be applied, and applies the others", async () => {
      const lines: (string | Uint8Array)[] = [
        line(tag("good-1")),
        "not json\n",
        line({ ...tag("x"), kind: "nonsense" }),
        line({ ...tag("x"), op: "patch" }),
        line({ ...tag("x"), observedAt: "2026-01-02" }),
        line({ kind: "tag", observedAt, record: { name: "no identity" } }),
        line(tag("x", { aliases: "not a list" })),
        "\n",
        line(tag("x", { name: "a".repeat(1024 * 1024) })),
        Buffer.concat([
          Buffer.from('{"kind":"tag","record":{"id":"'),
          Buffer.of(0xff),
          Buffer.from('"}}\n'),
        ]),
        line(tag("nul\u0000")),
        "[]\n",
        line({
          kind: "price",
          observedAt,
          record: {
            offerId: "o",
            region: "NOWHERE",
            price: { currencyCode: "USD", originalPrice: 1, discountPrice: 1 },
          },
        }),
        line(tag("good-2", { colour: "red" })).trimEnd(),
      ];
      const { status, summary } = await importText(
        Buffer.concat(lines.map((part) => Buffer.from(part))),
      );
      expect(status).toBe(1);
      expect(summary.errors.map(({ line: number }) => number).toSorted((a, b) => a - b)).toEqual([
        2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13,
      ]);
      expect(summary.errors.every(({ file, reason }) => file === "-" && reason !== "")).toBe(true);
      expect(summary.kinds["tag"]).toEqual({
        read: 5,
        written: 2,
        unchanged: 0,
        stale: 0,
        rejected: 3,
      });
      expect(summary.unknownMembers).toBe(1);
    });

    it("is a no-op the second time, and detects gzip by its bytes", async () => {
      const text = line(tag("again")) + line({ ...tag("gone"), op: "delete" });
      expect((await importText(text)).status).toBe(0);
      const { status, summary } = await importText(gzipSync(text));
      expect(status).toBe(0);
      expect(summary.kinds["tag"]).toMatchObject({ read: 2, written: 0, unchanged: 2 });
    });

    it("applies lines without a time in their order", async () => {
      const states = Array.from({ length: 40 }, (_, index) =>
        line({ kind: "tag", record: { id: "timeless", name: `State ${index}` } }),
      );
      const { summary } = await importText(states.join(""));
      expect(summary.kinds["tag"]).toMatchObject({ read: 40, written: 40, stale: 0 });
    });

    it("survives a very deeply nested record", async () => {
      const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
      const record = `{"namespace":"n","ratingSystem":"ESRB","deep":${deep}}`;
      const { status, summary } = await importText(
        `{"kind":"ageRating","record":${record}}\n${line(tag("after-deep"))}`,
      );
      expect(status).toBe(1);
      expect(summary.errors).toHaveLength(1);
      expect(summary.kinds["tag"]?.written).toBe(1);
    });

    it("reports a truncated gzip file after applying its complete lines", async () => {
      const text = Array.from({ length: 2000 }, (_, index) =>
        line(tag(`cut-${index}`, { aliases: [Math.sin(index).toString(36)] })),
      ).join("");
      const file = files.file("cut.ndjson.gz");
      await writeFile(file, gzipSync(text).subarray(0, 20_000));
      const { status, stdout } = await stack.cli(["import", "--json", file]);
      const summary = JSON.parse(stdout) as Summary;
      expect(status).toBe(1);
      expect(summary.errors.at(-1)?.file).toBe(file);
      expect(summary.kinds["tag"]?.written).toBeGreaterThan(0);
    });

    it("stores nothing with a wrong token, and reports it", async () => {
      const { status, stdout } = await stack.cli(["import", "--json", "-"], {
        stdin: line(tag("forbidden")),
        env: { INGEST_TOKEN: "a-token-of-another-stack", CATALOG_INGEST_TOKEN: undefined },
      });
      expect(status).toBe(1);
      const { kinds, errors } = JSON.parse(stdout) as Summary;
      expect(errors).toHaveLength(1);
      expect(kinds["tag"]?.written).toBe(0);
    });

    it("reports the missing setting where no stack runs", async () => {
      const { status, stdout, stderr } = await runCli(["import", "-"], {
        env: { DATA_DIR: files.file("nowhere") },
        stdin: line(tag("lost")),
      });
      expect(status).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toContain("CATALOG_GRPC_URL");
    });
  });
}
