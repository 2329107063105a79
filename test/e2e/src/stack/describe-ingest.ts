import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokens } from "./shared-stack.ts";
import type { SharedStack } from "./shared-stack.ts";

const observedAt = "2026-01-02T03:04:05.678Z";
const line = (value: object) => `${JSON.stringify(value)}\n`;
const tag = (id: string) => ({ kind: "tag", observedAt, record: { id, name: `Tag ${id}` } });
const priceOf = (region: string) => ({
  kind: "price",
  observedAt,
  record: {
    offerId: "uploaded",
    region,
    price: { currencyCode: "EUR", originalPrice: 2000, discountPrice: 1500 },
  },
});

/** Tests of the shared stack. */
export function describeIngest(shared: () => SharedStack): void {
  describe("ingest by HTTP", () => {
    let files: TemporaryDirectory;
    let stack: SharedStack;
    let named: string[];

    beforeAll(async () => {
      files = await makeTemporaryDirectory();
      stack = shared();
      named = ["whole.ndjson.gz", "refused.ndjson", "last.ndjson"].map((name) => files.file(name));
      const many = Array.from({ length: 2000 }, (_, at) =>
        line(tag(`sent-${Math.sin(at).toString(36)}`)),
      );
      const bytes = [
        gzipSync(many.join("")),
        `nonsense\n${line(priceOf("EURO"))}${line(priceOf("NOWHERE"))}{"kind":"tag","record":{}}\n`,
        line({ ...tag("last-sent"), record: { id: "last-sent", colour: "red" } }),
      ];
      await Promise.all(named.map((file, at) => writeFile(file, bytes[at] ?? "")));
    });
    afterAll(() => files.remove());

    const importFiles = async (parameters: readonly string[], options?: { stdin: string }) => {
      const { status, stdout, stderr } = await stack.cli(["import", ...parameters], options);
      // Rejections of several services come in any order.
      const refused = stderr.split("\n").filter((text) => /:\d+: /.test(text));
      return { status, stdout, refused: refused.toSorted() };
    };
    const byUrl = () => ["--url", stack.ingestUrl ?? ""];

    it("import --url reports the same as import, for several files and standard input", async () => {
      // All records of the files are stored after this.
      await importFiles(named);
      const local = await importFiles(named);
      expect(local).toMatchObject({ status: 1, refused: { length: 3 } });
      expect(await importFiles([...named, ...byUrl()])).toEqual(local);

      const summaryOf = async (parameters: readonly string[]) => {
        const { status, stdout } = await importFiles([...parameters, "--json"]);
        const { errors, ...counts } = JSON.parse(stdout) as { errors: { file: string }[] };
        const inOrder = named.flatMap((name) => errors.filter(({ file }) => file === name));
        expect(inOrder).toHaveLength(errors.length);
        return { status, counts, errors: new Set(errors) };
      };
      expect(await summaryOf([...named, ...byUrl()])).toEqual(await summaryOf(named));

      const stdin = line(tag("by-standard-input"));
      const first = await importFiles(["-", ...byUrl()], { stdin });
      expect(first).toMatchObject({ status: 0, refused: [] });
      expect(await importFiles(["-", ...byUrl()], { stdin })).toEqual(
        await importFiles(["-"], { stdin }),
      );
    });

    it("import --url continues with the next file after a truncated one", async () => {
      const cut = files.file("cut.ndjson.gz");
      await writeFile(cut, gzipSync(line(tag("cut-short"))).subarray(0, 40));
      const local = await importFiles([cut, ...named]);
      expect(local.refused).toContain(
        `${cut}:1: the file cannot be read any further: unexpected end of file`,
      );
      expect(await importFiles([cut, ...named, ...byUrl()])).toEqual(local);
    });

    it("import --url reports why it cannot send", async () => {
      const file = named[0] ?? "";
      const wrong = { INGEST_HTTP_TOKEN: tokens.old };
      const refused = await stack.cli(["import", file, ...byUrl()], { env: wrong });
      expect(refused).toMatchObject({ status: 1, stdout: "" });
      expect(refused.stderr).toContain("responded with 401");
      const nowhere = ["import", file, "--url", "http://127.0.0.1:1", "--retry-for", "0"];
      const unavailable = await stack.cli(nowhere);
      expect(unavailable).toMatchObject({ status: 1, stdout: "" });
      expect(unavailable.stderr).toContain("The files cannot be sent");
      const without = { env: { INGEST_HTTP_TOKEN: undefined } };
      const missing = await stack.cli(["import", file, ...byUrl()], without);
      expect(missing.stderr).toBe("Wrong configuration: INGEST_HTTP_TOKEN is required.\n");
    });
  });
}
