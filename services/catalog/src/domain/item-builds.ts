import type { SizesOf } from "./asset-sizes.ts";

/** The members of a build that an item's view of it is derived from. */
export interface BuildFacts {
  appName?: string | undefined;
  labelName?: string | undefined;
  platform?: string | undefined;
  downloadSizeBytes?: bigint | undefined;
  installedSizeBytes?: bigint | undefined;
  manifest?: { status?: string | undefined; canonicalHash?: string | undefined } | undefined;
}

/** What an item shows of a build in addition to the build itself. */
export interface BuildView {
  platform: string | undefined;
  downloadSizeBytes: bigint | undefined;
  installedSizeBytes: bigint | undefined;
  manifestStatus: string;
  /** Its files can be compared with those of other builds. */
  comparable: boolean;
  /** Published on the same label as the newest build. */
  sameStream: boolean;
}

const defaultManifestStatus = "legacy_unverified";
const comparableStatuses: ReadonlySet<string> = new Set(["verified", "legacy_unverified"]);

/** Views of builds that are ordered newest first; `sizesOf` gives what their assets know. */
export function viewBuilds(builds: readonly BuildFacts[], sizesOf: SizesOf): BuildView[] {
  const newestLabel = builds[0]?.labelName;
  return builds.map((build) => {
    const platform = buildPlatform(build);
    const sizes =
      build.appName === undefined || platform === undefined
        ? undefined
        : sizesOf(build.appName, platform);
    const manifestStatus = build.manifest?.status ?? defaultManifestStatus;
    return {
      platform,
      downloadSizeBytes: build.downloadSizeBytes ?? sizes?.downloadSizeBytes,
      installedSizeBytes: build.installedSizeBytes ?? sizes?.installedSizeBytes,
      manifestStatus,
      comparable:
        comparableStatuses.has(manifestStatus) && (build.manifest?.canonicalHash ?? "") !== "",
      sameStream: build.labelName === newestLabel,
    };
  });
}

/**
 * Platform of a build: its own, else the part of its label after the last `-` (`Live-Windows` is of
 * `Windows`), else unknown.
 */
function buildPlatform(build: BuildFacts): string | undefined {
  if (build.platform !== undefined) return build.platform;
  const label = build.labelName ?? "";
  const dash = label.lastIndexOf("-");
  return dash === -1 || dash === label.length - 1 ? undefined : label.slice(dash + 1);
}
