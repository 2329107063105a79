import { ownIdPattern } from "../domain/entry-id.ts";

/**
 * Whether a row of `changelog.entry` is of a write of this catalog's log, as SQL: not foreign, and not of an
 * export, whose ids say nothing of the log here.
 */
export const isOwn = `(id ~ '${ownIdPattern}' and is_restored is not true)`;
