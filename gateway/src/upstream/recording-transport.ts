import { create, isMessage } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import type { ClosableTransport } from "@storefront/rpc";
import { readLogKey } from "../tags/read-log.ts";
import type { ReadLog } from "../tags/read-log.ts";
import {
  catalogReads,
  changelogReads,
  pricingReads,
  reviewsReads,
  searchReads,
} from "../tags/rpc-reads.ts";
import type { MethodsOf, Reading, Readings } from "../tags/rpc-reads.ts";

/**
 * A transport that notes in the log of a call's request what the call read. It is done here, below
 * the operations, so that none can forget it. Calls without a log are passed on as they are.
 */
export function recordingTransport(transport: ClosableTransport): ClosableTransport {
  const unary: Transport["unary"] = async (
    method,
    signal,
    timeoutMs,
    header,
    input,
    contextValues,
  ) => {
    const log = contextValues?.get(readLogKey);
    if (log === undefined) {
      return await transport.unary(method, signal, timeoutMs, header, input, contextValues);
    }
    const request = create(method.input, input);
    try {
      const answer = await transport.unary(method, signal, timeoutMs, header, request);
      noteReads(log, method, request, answer.message);
      return answer;
    } catch (error) {
      // Whoever goes on without an answer has read something too.
      log.noteUnfollowed();
      throw error;
    }
  };
  return {
    unary,
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  };
}

/** Notes what a call read. */
type Reader = (log: ReadLog, request: Message, answer: Message) => void;

/** Of the methods whose readings are named. */
const readers = new Map<DescMethod, Reader>([
  ...readersOf("catalog", CatalogService.method, catalogReads),
  ...readersOf("pricing", PricingService.method, pricingReads),
  ...readersOf("reviews", ReviewsService.method, reviewsReads),
  ...readersOf("changelog", ChangelogService.method, changelogReads),
  ...readersOf(undefined, SearchService.method, searchReads),
]);

function noteReads(log: ReadLog, method: DescMethod, request: Message, answer: Message): void {
  const reader = readers.get(method);
  if (reader === undefined) log.noteUnfollowed();
  else reader(log, request, answer);
}

function* readersOf<Methods extends MethodsOf<Methods>>(
  feed: FeedName | undefined,
  methods: Methods,
  readings: Readings<Methods>,
): Generator<[DescMethod, Reader]> {
  for (const name in methods) {
    const reading = readings[name];
    if (typeof reading !== "string") {
      yield [methods[name], readerOf(feed, methods[name], reading)];
    }
  }
}

function readerOf<Input extends DescMessage, Output extends DescMessage>(
  feed: FeedName | undefined,
  { input, output }: { input: Input; output: Output },
  reading: Reading<Input, Output, string>,
): Reader {
  const isTimed = Object.hasOwn(output.field, "validForMs");
  return (log, request, answer) => {
    if (!isMessage(request, input) || !isMessage(answer, output)) log.noteUnfollowed();
    else {
      if (feed !== undefined) log.note(feed, reading(request, answer));
      if (isTimed) noteValidity(log, answer);
    }
  };
}

/**
 * An answer that also changes with time alone says when. One that does not, as a pricing service of the
 * release before does not, counts as what no feed tells about.
 */
function noteValidity(log: ReadLog, answer: Message): void {
  if ("validForMs" in answer && typeof answer.validForMs === "bigint") {
    log.noteValidity(Number(answer.validForMs));
  } else log.noteUnfollowed();
}
