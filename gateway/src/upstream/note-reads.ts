import { isMessage } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import type { FeedName } from "@storefront/process";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import type { ReadLog } from "../tags/read-log.ts";
import {
  catalogReads,
  changelogReads,
  pricingReads,
  reviewsReads,
  searchReads,
} from "../tags/rpc-reads.ts";
import type { MethodsOf, Reading, Readings } from "../tags/rpc-reads.ts";

type Reader = (log: ReadLog, request: Message, response: Message) => void;

/** Of the methods whose reads have tags. */
const readers = new Map<DescMethod, Reader>([
  ...readersOf("catalog", CatalogService.method, catalogReads),
  ...readersOf("pricing", PricingService.method, pricingReads),
  ...readersOf("reviews", ReviewsService.method, reviewsReads),
  ...readersOf("changelog", ChangelogService.method, changelogReads),
  ...readersOf(undefined, SearchService.method, searchReads),
]);

/** Records what a call read. */
export function noteReads(
  log: ReadLog,
  method: DescMethod,
  request: Message,
  response: Message,
): void {
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
