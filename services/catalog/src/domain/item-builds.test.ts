import { expect, it } from "vitest";
import { sizesByApplication } from "./asset-sizes.ts";
import { viewBuilds } from "./item-builds.ts";
import type { BuildFacts } from "./item-builds.ts";

const noSizes = sizesByApplication([], undefined);

it.each<[string | undefined, string | undefined, string | undefined]>([
  ["Mac", "Live-Windows", "Mac"],
  [undefined, "Live-Windows", "Windows"],
  [undefined, "Live-Staging-Win32", "Win32"],
  [undefined, "Live", undefined],
  [undefined, "Live-", undefined],
  [undefined, undefined, undefined],
])("takes platform %j, else the end of label %j: %j", (platform, labelName, expected) => {
  expect(viewBuilds([{ platform, labelName }], noSizes)[0]?.platform).toBe(expected);
});

it.each<[BuildFacts["manifest"], string, boolean]>([
  [undefined, "legacy_unverified", false],
  [{ canonicalHash: "a" }, "legacy_unverified", true],
  [{ status: "verified", canonicalHash: "a" }, "verified", true],
  [{ status: "verified" }, "verified", false],
  [{ status: "verified", canonicalHash: "" }, "verified", false],
  [{ status: "processing", canonicalHash: "a" }, "processing", false],
  [{ status: "failed", canonicalHash: "a" }, "failed", false],
])("sees manifest %j as %s, comparable: %j", (manifest, status, comparable) => {
  expect(viewBuilds([{ manifest }], noSizes)[0]).toMatchObject({
    manifestStatus: status,
    comparable,
  });
});

it("puts builds into the stream of the newest one by their label", () => {
  const labels = ["Live-Windows", "Live-Mac", "Live-Windows", undefined];
  const views = viewBuilds(
    labels.map((labelName) => ({ labelName })),
    noSizes,
  );
  expect(views.map(({ sameStream }) => sameStream)).toEqual([true, false, true, false]);
});

it("takes each size by itself from the asset of its application and platform in any case", () => {
  const asset = (namespace: string, download?: bigint, installed?: bigint) => ({
    artifactId: "App",
    platform: "WINDOWS",
    namespace,
    downloadSizeBytes: download,
    installedSizeBytes: installed,
  });
  const sizesOf = sizesByApplication([asset("a", 1n, 2n), asset("own", 3n), asset("b", 4n)], "own");
  const builds = [
    { appName: "App", platform: "windows" },
    { appName: "App", platform: "windows", downloadSizeBytes: 0n },
    { appName: "App", platform: "Mac" },
    { appName: "Other", platform: "Windows" },
    { platform: "Windows" },
  ];
  expect(
    viewBuilds(builds, sizesOf).map((view) => [view.downloadSizeBytes, view.installedSizeBytes]),
  ).toEqual([
    [3n, 2n],
    [0n, 2n],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
