import type { LogPosition } from "./log-position.ts";

/** A follower's own tables are those of an earlier time, as after a backup was restored. */
export class CursorWentBackError extends Error {
  override readonly name = "CursorWentBackError";

  constructor(feed: string, { sequence }: LogPosition) {
    super(`the cursor of ${feed} went back to ${sequence}`);
  }
}
