import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import type { ListPriceChangesRequest } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, ServiceError } from "@storefront/rpc";
import { EventEmitter, once } from "node:events";

/** Changes of prices in memory. */
export interface PriceLog {
  handlers: Partial<ServiceImpl<typeof PricingService>>;
  append(...changes: PriceChange[]): void;
  /** Undoes a change, as a restored backup does. */
  undo(id: string): void;
  /** Appends the change by which a price is forgotten, and no longer lists the earlier ones. */
  forget(change: PriceChange): void;
  /** Where each watch began, in the order of the calls. */
  watches: string[];
  /** Watches that are open. */
  watching: number;
  /** Ends the watches as a draining service does. */
  endWatches(): void;
  reset(): void;
}

/** The position before the first change. */
const beginning = "p0";

/** A change of the price of an offer to an amount; committed at the millisecond of its number. */
export function priceChange(
  number: number,
  offerId: string,
  region: string,
  amounts: { before?: bigint; after?: bigint },
): PriceChange {
  const priceOf = (amount: bigint | undefined) =>
    amount === undefined
      ? undefined
      : {
          offerId,
          region,
          price: { currencyCode: "USD", originalPrice: 1000n, discountPrice: amount },
        };
  const previousPrice = priceOf(amounts.before);
  const price = priceOf(amounts.after);
  return create(PriceChangeSchema, {
    id: `p${number}`,
    offerId,
    region,
    committedAt: timestampFromMs(number),
    observedAt: timestampFromMs(number),
    ...(previousPrice && { previousPrice }),
    ...(price && { price }),
  });
}

const initial = [
  priceChange(1, "full", "US", { after: 1000n }),
  priceChange(2, "full", "EURO", { after: 900n }),
  priceChange(3, "full", "US", { before: 1000n, after: 500n }),
  priceChange(4, "orphan", "US", { before: 1000n }),
];

/** Begins with a few changes. */
export function createPriceLog(): PriceLog {
  const changes = [...initial];
  const lost = new Set<string>();
  const hidden = new Set<string>();
  const changed = new EventEmitter().setMaxListeners(0);
  let ending = new AbortController();

  const positionAfter = (id: string): number => {
    if (lost.has(id)) {
      const { FailedPrecondition: code } = Code;
      const reason = ErrorReason.LOG_DIVERGED;
      throw new ServiceError({ code, reason, message: "upstream text" });
    }
    const index = changes.findIndex((change) => change.id === id);
    if (index === -1 && id !== beginning) {
      throw notFound(ErrorReason.PRICE_CHANGE_NOT_FOUND, "upstream text");
    }
    return index + 1;
  };
  const positionOf = ({ start }: ListPriceChangesRequest): number | undefined => {
    if (start.case === undefined) return undefined;
    if (start.case === "afterChangeId") return positionAfter(start.value);
    const since = timestampMs(start.value);
    const index = changes.findIndex(
      ({ committedAt }) => since <= timestampMs(committedAt ?? start.value),
    );
    return index === -1 ? changes.length : index;
  };
  const isIn = (region: string) => (change: PriceChange) =>
    region === "" || change.region === region;
  const newestId = () => changes.at(-1)?.id ?? beginning;

  const log: PriceLog = {
    handlers: {
      listPriceChanges(request) {
        const position = positionOf(request);
        const { region, pageSize } = request;
        const found = position === undefined ? changes.toReversed() : changes.slice(position);
        const listed = found.filter(({ id }) => !hidden.has(id));
        const page = listed.filter(isIn(region)).slice(0, pageSize);
        const isFull = position !== undefined && page.length === pageSize;
        const throughChangeId = isFull ? page.at(-1)?.id : undefined;
        return { changes: page, throughChangeId: throughChangeId ?? newestId() };
      },
      async *watchPriceChanges({ afterChangeId, region }, { signal }) {
        log.watches.push(afterChangeId);
        log.watching++;
        const ended = ending.signal;
        try {
          let position = afterChangeId === "" ? changes.length : positionAfter(afterChangeId);
          yield { throughChangeId: changes[position - 1]?.id ?? beginning };
          while (!ended.aborted && !signal.aborted) {
            const batch = changes.slice(position, position + 100);
            position += batch.length;
            const given = batch.filter(isIn(region));
            if (batch.length > 0) yield { changes: given, throughChangeId: newestId() };
            else await once(changed, "change", { signal }).catch(() => undefined);
          }
        } finally {
          log.watching--;
        }
      },
    },
    watches: [],
    watching: 0,
    append(...added) {
      changes.push(...added);
      changed.emit("change");
    },
    forget(change) {
      for (const each of changes) {
        if (each.offerId === change.offerId && each.region === change.region) hidden.add(each.id);
      }
      log.append(change);
    },
    undo(id) {
      changes.splice(positionAfter(id) - 1, 1);
      lost.add(id);
    },
    endWatches() {
      ending.abort();
      ending = new AbortController();
      changed.emit("change");
    },
    reset() {
      changes.splice(0, Infinity, ...initial);
      lost.clear();
      hidden.clear();
      log.watches = [];
    },
  };
  return log;
}
