import { create, isMessage } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/process";
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

/** Records what each call read in the log of its request: below the operations, so that none can forget it. */
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
      const response = await transport.unary(method, signal, timeoutMs, header, request);
      noteReads(log, method, request, response.message);
      return response;
    } catch (error) {
      // A response may be made without this part.
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

type Reader = (log: ReadLog, request: Message, response: Message) => void;

/** Of the methods whose reads have tags. */
const readers = new Map<DescMethod, Reader>([
  ...readersOf("catalog", CatalogService.method, catalogReads),
  ...readersOf("pricing", PricingService.method, pricingReads),
  ...readersOf("reviews", ReviewsService.method, reviewsReads),
  ...readersOf("changelog", ChangelogService.method, changelogReads),
  ...readersOf(undefined, SearchService.method, searchReads),
]);

function noteReads(log: ReadLog, method: DescMethod, request: Message, response: Message): void {
  const reader = readers.get(method);
  if (reader === undefined) log.noteUnfollowed();
  else reader(log, request, response);
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
  return (log, request, response) => {
    if (!isMessage(request, input) || !isMessage(response, output)) log.noteUnfollowed();
    else {
      if (feed !== undefined) log.note(feed, reading(request, response));
      if (isTimed) noteValidity(log, response);
    }
  };
}

/** A response that time alone changes says when; otherwise, as from an earlier release, no feed vouches for it. */
function noteValidity(log: ReadLog, response: Message): void {
  if ("validForMs" in response && typeof response.validForMs === "bigint") {
    log.noteValidity(Number(response.validForMs));
  } else log.noteUnfollowed();
}
