// How a changeset stands in a changelog: as it was written, an item unless it is a list already; without a commit's hash, since
// history may be read in git.
const itemOf = (summary) => {
  const text = summary.trim();
  return text.startsWith("- ") ? text : `- ${text.replaceAll(/\n(?=.)/g, "\n  ")}`;
};

export const getReleaseLine = async ({ summary }) => `${itemOf(summary)}\n`;

/** A release says what changed; that a part of it needs another part's new version goes without saying. */
export const getDependencyReleaseLine = async () => "";
