import { join } from "node:path";
import { z } from "zod";
import { parseJson, readIfPresent, writeFileWhole } from "../stack/data-directory.ts";
import { UserError } from "../user-error.ts";

const zSnapshot = z.object({
  /** Of its file. */
  entityTag: z.string(),
  /** SHA-256 of it, in base64. */
  sha256: z.string(),
  /** Of the changes after it. */
  cursor: z.string(),
  /** Whether its file is complete and has that digest. */
  isWhole: z.boolean(),
});

const zState = z.object({
  /** Base URL of the origin. */
  origin: z.string(),
  /** To be imported before changes are followed. */
  snapshot: zSnapshot.optional(),
  /** The last cursor before the snapshot, whose import forgets the records that it lacks. Absent when the copy was empty. */
  former: z.string().optional(),
  /** Everything up to here is stored. */
  cursor: z.string().optional(),
});

/** A snapshot that is being downloaded or imported. */
export type SnapshotState = z.infer<typeof zSnapshot>;

/** The progress of a mirror. */
export type MirrorState = z.infer<typeof zState>;

/** Files of a mirror in a data directory. */
export const mirrorFile = {
  state: (directory: string) => join(directory, "mirror.json"),
  snapshot: (directory: string) => join(directory, "mirror-snapshot.ndjson.gz"),
};

/**
 * The progress of the mirror of a data directory; undefined without one.
 *
 * @throws UserError when the file is damaged, or of another origin
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

/** To be called after the changes up to the state are stored. */
export async function writeMirrorState(directory: string, state: MirrorState): Promise<void> {
  await writeFileWhole(mirrorFile.state(directory), `${JSON.stringify(state)}\n`);
}
