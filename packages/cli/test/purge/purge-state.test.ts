import { makeTemporaryDirectory } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { purgeSettingsOf } from "../../src/purge/edge.ts";
import { readCursors, writeCursors } from "../../src/purge/run-purge.ts";

test("cursors belong to one edge, and a damaged file has none", async () => {
  const data = await makeTemporaryDirectory();
  onTestFinished(() => data.remove());
  const cursors = { catalog: { sequence: 7, identity: "seven", logId: "log" } };
  expect(await readCursors(data.path, "one")).toEqual({});
  await writeCursors(data.path, "one", cursors);
  expect(await readCursors(data.path, "one")).toEqual(cursors);
  expect(await readCursors(data.path, "other")).toEqual({});
  await writeFile(data.file("purge.json"), '{"edge":"one","curs');
  expect(await readCursors(data.path, "one")).toEqual({});
});

test.each([
  [{}, "VARNISH_URL"],
  [{ VARNISH_URL: "http://a", FASTLY_SERVICE_ID: "a", FASTLY_API_TOKEN: "b" }, "VARNISH_URL"],
  [{ FASTLY_SERVICE_ID: "a" }, "FASTLY_API_TOKEN"],
  [{ CLOUDFLARE_ZONE_ID: "a/b", CLOUDFLARE_API_TOKEN: "b" }, "CLOUDFLARE_ZONE_ID"],
  [{ CLOUDFLARE_ZONE_ID: "a", CLOUDFLARE_API_TOKEN: "b c" }, "CLOUDFLARE_API_TOKEN"],
])("settings name one CDN completely: %o lacks %s", (env, variable) => {
  expect(() => purgeSettingsOf(env)).toThrow(expect.objectContaining({ variables: [variable] }));
});
