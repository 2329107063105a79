import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import type {
  PricePast as PastMessage,
  PriceStep as StepMessage,
  PriceStepSchema,
} from "@storefront/contracts/pricing/v1/price_past";

/** An observed state of a price. Times are in milliseconds since 1970. */
export interface PriceState {
  readonly observedAtMs: number;
  /** When the price was set, by its source. */
  readonly updatedAtMs?: number | undefined;
  /** Absent where the price was deleted. */
  readonly price?:
    | {
        readonly currencyCode: string;
        /** Minor units before any discount. */
        readonly originalPrice: number;
        /** Minor units to pay. */
        readonly discountPrice: number;
      }
    | undefined;
}

/** An amount to pay, with its start and end; the end is null while it is current. */
export type PriceStep = readonly [discountPrice: number, startMs: number, endMs: number | null];

/**
 * A summary of all states of a price, sufficient for every query for its lows.
 */
export interface PricePast {
  /** When the last state began, with or without a price. */
  readonly lastStartMs: number;
  /** Of the last price; absent while there was none. */
  readonly currencyCode?: string;
  /** When the first price in that currency that counts began; absent while there is none. */
  readonly sinceMs?: number;
  /**
   * The prices that count and were followed by no lower one, oldest first: amounts never fall. The last
   * is the last price that counts. The low since any time is the first that ended after it.
   */
  readonly steps: readonly PriceStep[];
  /** The reduction of the last price. */
  readonly reduction?: {
    readonly sinceMs: number;
    /** The steps at its start: those of the 30 days before, and always the last one. */
    readonly stepsBefore: readonly PriceStep[];
  };
  readonly hadGiveaway?: true;
  readonly hadOtherCurrency?: true;
}

/** The time before a reduction whose lowest price a shop has to show: directive 98/6/EC, article 6a (2). */
export const reductionWindowMs = 30 * 86_400_000;

/** Whether a price is a giveaway: 100 % off. One that is always 0 is not. */
function isGiveaway(price: { originalPrice: number; discountPrice: number }): boolean {
  return price.discountPrice === 0 && price.originalPrice > 0;
}

/**
 * The past of a price after one more, the latest state. A state begins when its source set it, but no later than
 * it was observed and no earlier than the previous state, and ends with the next one.
 */
export function pastAfter(past: PricePast | undefined, state: PriceState): PricePast {
  const { price } = state;
  const lastStartMs = startOf(past, state);
  if (price === undefined) {
    const { reduction: _ended, steps = [], ...rest } = past ?? {};
    return { ...rest, lastStartMs, steps: endedAt(steps, lastStartMs) };
  }
  const known = inCurrency(past, price.currencyCode);
  const stepsBefore = endedAt(known.steps, lastStartMs);
  if (isGiveaway(price)) return { ...known, lastStartMs, steps: stepsBefore, hadGiveaway: true };
  const { reduction: _before, ...rest } = known;
  const reduction = reductionAfter(known, price, stepsBefore, lastStartMs);
  return {
    ...rest,
    lastStartMs,
    sinceMs: known.sinceMs ?? lastStartMs,
    steps: stepsAfter(known.steps, stepsBefore, [price.discountPrice, lastStartMs, null]),
    ...(reduction && { reduction }),
  };
}

function startOf(past: PricePast | undefined, { observedAtMs, updatedAtMs }: PriceState): number {
  const saidMs = updatedAtMs === undefined ? observedAtMs : Math.min(updatedAtMs, observedAtMs);
  return Math.max(saidMs, past?.lastStartMs ?? Number.NEGATIVE_INFINITY);
}

/** Amounts in another currency are not comparable: earlier ones are excluded. */
function inCurrency(
  past: PricePast | undefined,
  currencyCode: string,
): Omit<PricePast, "lastStartMs"> {
  if (past === undefined) return { currencyCode, steps: [] };
  if (past.currencyCode === undefined || past.currencyCode === currencyCode) {
    return { ...past, currencyCode };
  }
  const { hadGiveaway } = past;
  return { currencyCode, steps: [], hadOtherCurrency: true, ...(hadGiveaway && { hadGiveaway }) };
}

/**
 * A reduction continues while the price is reduced and does not rise, so that a reduction in steps counts from
 * the first of them; giveaways in between do not change it.
 */
function reductionAfter(
  { reduction, steps }: Omit<PricePast, "lastStartMs">,
  price: { originalPrice: number; discountPrice: number },
  stepsBefore: readonly PriceStep[],
  startMs: number,
): PricePast["reduction"] {
  if (price.discountPrice >= price.originalPrice) return undefined;
  const last = steps.at(-1);
  if (reduction !== undefined && last !== undefined && price.discountPrice <= last[0]) {
    return reduction;
  }
  const afterMs = startMs - reductionWindowMs;
  return {
    sinceMs: startMs,
    stepsBefore: stepsBefore.filter(
      (step, index) => isAfter(step, afterMs) || index === stepsBefore.length - 1,
    ),
  };
}

/** Whether a step ended after a time. One that began and ended at once was observed, and counts too. */
export function isAfter([, , endMs]: PriceStep, timeMs: number): boolean {
  return endMs === null || endMs > timeMs;
}

function endedAt(steps: readonly PriceStep[], timeMs: number): readonly PriceStep[] {
  const last = steps.at(-1);
  if (last === undefined || last[2] !== null) return steps;
  return [...steps.slice(0, -1), [last[0], last[1], timeMs]];
}

function stepsAfter(
  steps: readonly PriceStep[],
  stepsBefore: readonly PriceStep[],
  step: PriceStep,
): readonly PriceStep[] {
  const last = steps.at(-1);
  if (last !== undefined && last[2] === null && last[0] === step[0]) return steps;
  const lower = stepsBefore.findLastIndex(([discountPrice]) => discountPrice <= step[0]);
  return [...stepsBefore.slice(0, lower + 1), step];
}

export function pastMessage(past: PricePast): PastMessage {
  const { reduction } = past;
  return create(PricePastSchema, {
    lastStartMs: BigInt(past.lastStartMs),
    currencyCode: past.currencyCode ?? "",
    ...(past.sinceMs !== undefined && { sinceMs: BigInt(past.sinceMs) }),
    steps: past.steps.map(stepMessage),
    ...(reduction !== undefined && {
      reduction: {
        sinceMs: BigInt(reduction.sinceMs),
        stepsBefore: reduction.stepsBefore.map(stepMessage),
      },
    }),
    hadGiveaway: past.hadGiveaway ?? false,
    hadOtherCurrency: past.hadOtherCurrency ?? false,
  });
}

function stepMessage([discountPrice, startMs, endMs]: PriceStep): MessageInitShape<
  typeof PriceStepSchema
> {
  return {
    discountPrice: BigInt(discountPrice),
    startMs: BigInt(startMs),
    ...(endMs !== null && { endMs: BigInt(endMs) }),
  };
}

export function pastOfMessage(message: PastMessage): PricePast {
  const { currencyCode, sinceMs, reduction, hadGiveaway, hadOtherCurrency } = message;
  return {
    lastStartMs: Number(message.lastStartMs),
    ...(currencyCode !== "" && { currencyCode }),
    ...(sinceMs !== undefined && { sinceMs: Number(sinceMs) }),
    steps: message.steps.map(stepOf),
    ...(reduction !== undefined && {
      reduction: {
        sinceMs: Number(reduction.sinceMs),
        stepsBefore: reduction.stepsBefore.map(stepOf),
      },
    }),
    ...(hadGiveaway && { hadGiveaway }),
    ...(hadOtherCurrency && { hadOtherCurrency }),
  };
}

function stepOf({ discountPrice, startMs, endMs }: StepMessage): PriceStep {
  return [Number(discountPrice), Number(startMs), endMs === undefined ? null : Number(endMs)];
}
