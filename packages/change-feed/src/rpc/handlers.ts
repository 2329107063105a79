import type { ServiceImpl } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { DatabaseUnavailableError } from "@storefront/database";
import { unavailable } from "@storefront/rpc";

/** The handlers of FeedService, by method. */
export type FeedHandlers = ServiceImpl<typeof FeedService>;

/** The kinds that a request asks for; undefined means all. */
export function wantedOf(kinds: string[]): string[] | undefined {
  return kinds.length === 0 ? undefined : kinds;
}

/** An answer whose caller is told that the database cannot be reached: UNAVAILABLE. */
export async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw callerErrorOf(error);
  }
}

/** The same of a stream. */
export async function* streamed<Message>(
  messages: AsyncIterable<Message>,
): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    throw callerErrorOf(error);
  }
}

function callerErrorOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
}
