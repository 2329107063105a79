import type { IncomingHttpHeaders } from "node:http";

const streamType = "application/jsonl";

/** What decides whether an answer is whole, for `Vary`. */
export const wholeAnswerVary = "trpc-accept, Accept";

/** Whether a tRPC request asks for an answer in one piece; otherwise tRPC streams it line by line. */
export function isWholeAnswer({ accept, "trpc-accept": ownAccept }: IncomingHttpHeaders): boolean {
  if (ownAccept !== undefined) return false;
  return accept?.split(",").some((type) => type.trim() === streamType) !== true;
}
