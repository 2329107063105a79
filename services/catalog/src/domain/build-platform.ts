/**
 * Platform of a build: its own, else the part of its label after the last `-` (`Live-Windows` is of
 * `Windows`), else unknown.
 */
export function buildPlatform(build: {
  platform?: string | undefined;
  labelName?: string | undefined;
}): string | undefined {
  if (build.platform !== undefined) return build.platform;
  const label = build.labelName ?? "";
  const dash = label.lastIndexOf("-");
  return dash === -1 || dash === label.length - 1 ? undefined : label.slice(dash + 1);
}
