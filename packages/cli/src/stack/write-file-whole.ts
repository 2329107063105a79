import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/**
 * Writes a file that only its owner can read, and puts it in place whole: a reader, or the next run
 * after a kill, sees the old text or the new one.
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}
