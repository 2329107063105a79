import { join } from "node:path";
import { z } from "zod";
import { readIfPresent, writeFileWhole } from "../stack/data-directory.ts";
import type { Cursors } from "./tag-purger.ts";

const zCursor = z
  .object({ sequence: z.number(), identity: z.string(), logId: z.string() })
  .optional();

const zState = z.object({
  /** Name of what was purged. */
  edge: z.string(),
  cursors: z.object({
    catalog: zCursor,
    pricing: zCursor,
    reviews: zCursor,
    changelog: zCursor,
  }),
});

const stateFile = (directory: string) => join(directory, "purge.json");

/** Up to where an edge has been purged; nothing where that is not known, as when the file is damaged or gone. */
export async function readCursors(directory: string, edge: string): Promise<Cursors> {
  const text = await readIfPresent(stateFile(directory));
  const state = zState.safeParse(text === undefined ? undefined : parsed(text));
  return state.success && state.data.edge === edge ? state.data.cursors : {};
}

/** @throws UserError when the file cannot be written */
export async function writeCursors(
  directory: string,
  edge: string,
  cursors: Cursors,
): Promise<void> {
  await writeFileWhole(stateFile(directory), `${JSON.stringify({ edge, cursors })}\n`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
