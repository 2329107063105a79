import { join } from "node:path";
import { z } from "zod";
import { parseJson, readIfPresent, writeFileWhole } from "../stack/data-directory.ts";
import { UserError } from "../user-error.ts";

const zSnapshot = z.object({
  /** What tells its file from others. */
  entityTag: z.string(),
  /** SHA-256 of it, in base64. */
  sha256: z.string(),
  /** What is followed after it. */
  cursor: z.string(),
  /** Whether its file is here and has that digest. */
  isWhole: z.boolean(),
});

const zState = z.object({
  /** Base URL of what is mirrored. */
  origin: z.string(),
  /** That is to be taken over before anything is followed. */
  snapshot: zSnapshot.optional(),
  /** Up to where the copy had everything before: with the snapshot goes what it does not name. Absent of an empty copy. */
  former: z.string().optional(),
  /** Everything up to here is stored. */
  cursor: z.string().optional(),
});

/** A snapshot on its way. */
export type SnapshotState = z.infer<typeof zSnapshot>;

/** How far a mirror is. */
export type MirrorState = z.infer<typeof zState>;

/** Files of a mirror in a data directory. */
export const mirrorFile = {
  state: (directory: string) => join(directory, "mirror.json"),
  snapshot: (directory: string) => join(directory, "mirror-snapshot.ndjson.gz"),
};

/**
 * How far the mirror of a data directory is; undefined where there is none yet.
 *
 * @throws UserError when the file is none, or of the mirror of another origin
 */
export async function readMirrorState(
  directory: string,
  origin: string,
): Promise<MirrorState | undefined> {
  const path = mirrorFile.state(directory);
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  const state = parseJson(text, zState);
  if (state === undefined) throw new UserError(`${path} is no file of a mirror.`);
  if (state.origin === origin) return state;
  throw new UserError(
    `${directory} has the mirror of ${state.origin}; name that, or another data directory.`,
  );
}

/** Notes how far it is, after what that stands for has been stored. */
export async function writeMirrorState(directory: string, state: MirrorState): Promise<void> {
  await writeFileWhole(mirrorFile.state(directory), `${JSON.stringify(state)}\n`);
}
