import { dayMs, iso, momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { createOffer } from "./offer.ts";
import type { OfferRecord } from "./offer.ts";
import { Random } from "./random.ts";
import { pastSalesOf, presentSaleOf } from "./sale.ts";
import type { Role, Sandbox, Slot } from "./sandbox.ts";
import { tagNamed } from "./tag.ts";

/** A past change of an offer. */
interface Edit {
  readonly atMs: number;
  /** The offer as it was before. */
  readonly undo: (offer: OfferRecord) => OfferRecord;
}

/** Most edits of an offer of a role during the past year. */
const mostEdits: Readonly<Record<Role, number>> = {
  baseGame: 4,
  prePurchase: 3,
  dlc: 2,
  addOn: 1,
  edition: 2,
  bundle: 2,
  extra: 1,
  demo: 1,
  consumable: 1,
  currency: 1,
  wrapper: 1,
  collection: 2,
};

/** The offers of a sandbox, each with the states of the past year before its present one. */
export function observeOffers(sandbox: Sandbox): Observed<"offer", OfferRecord>[] {
  return sandbox.slots.flatMap((slot) => {
    const random = new Random(sandbox.source.seed, "offer", slot.number);
    const states = statesOf(sandbox, slot, createOffer(sandbox, slot, random));
    return states.map((state) => observe("offer", Date.parse(state.lastModifiedDate), state));
  });
}

/**
 * The states of an offer, oldest first. The last one is the present offer with its
 * `lastModifiedDate`.
 */
function statesOf(sandbox: Sandbox, slot: Slot, offer: OfferRecord): OfferRecord[] {
  const { nowMs, seed } = sandbox.source;
  const { createdMs } = sandbox.game;
  const random = new Random(seed, "offerPast", slot.number);
  const yearAgoMs = nowMs - 365 * dayMs;
  // Earlier edits are unknown; at least a millisecond after the creation, which may be known.
  const firstMs = momentBetween(random, createdMs + 1, Math.max(createdMs + 1, yearAgoMs));
  const edits = [
    ...ownEdits(random, slot.role, Math.max(firstMs, yearAgoMs), nowMs),
    ...(slot.role === "baseGame" ? saleEdits(sandbox, slot) : []),
  ]
    .filter(({ atMs }) => atMs > firstMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .filter(({ atMs }, n, all) => n === 0 || atMs > (all[n - 1]?.atMs ?? 0));
  const states: OfferRecord[] = [];
  let state = offer;
  for (const { atMs, undo } of edits.toReversed()) {
    states.push({ ...state, lastModifiedDate: iso(atMs) });
    state = undo(state);
  }
  states.push({ ...state, lastModifiedDate: iso(firstMs) });
  const isAnnounced = random.chance(0.08) || slot.number === 0 || createdMs > yearAgoMs;
  if (isAnnounced) states.push(announcement(state));
  return states.toReversed();
}

function ownEdits(random: Random, role: Role, fromMs: number, toMs: number): Edit[] {
  const count = random.integer(0, mostEdits[role]);
  return Array.from({ length: count }, () => ({
    // More of them are recent.
    atMs: Math.floor(toMs - random.unit() ** 1.5 * (toMs - fromMs)),
    undo: random.pick(undoings),
  }));
}

/** Possible edits; each returns the offer before it. */
const undoings: readonly Edit["undo"][] = [
  (offer) => ({
    ...offer,
    keyImages: offer.keyImages.slice(0, Math.max(1, offer.keyImages.length - 1)),
  }),
  // The first tag is the genre's.
  (offer) => ({ ...offer, tags: offer.tags.filter((_, n) => n !== 1) }),
  (offer) => ({ ...offer, longDescription: offer.longDescription?.split("\n\n")[0] ?? null }),
  (offer) => ({ ...offer, customAttributes: offer.customAttributes.slice(0, -1) }),
  (offer) => ({ ...offer, ...earlierRelease(offer) }),
  (offer) => ({ ...offer, countriesBlacklist: [] }),
  (offer) => ({ ...offer, refundType: null }),
];

/** The offer before its release was postponed by three weeks. */
function earlierRelease({ effectiveDate, releaseDate, pcReleaseDate }: OfferRecord) {
  if (releaseDate === null) return {};
  const before = (date: string) => iso(Date.parse(date) - 21 * dayMs);
  return {
    effectiveDate: before(effectiveDate),
    releaseDate: before(releaseDate),
    pcReleaseDate: pcReleaseDate === null ? null : before(pcReleaseDate),
  };
}

/** The tag of a sale is added and removed with it. */
function saleEdits(sandbox: Sandbox, slot: Slot): Edit[] {
  const present = presentSaleOf(sandbox, slot);
  return [
    ...pastSalesOf(sandbox, slot).flatMap(({ name, startMs, endMs }) => [
      { atMs: startMs, undo: without(name) },
      { atMs: endMs, undo: withTag(name) },
    ]),
    ...(present === null ? [] : [{ atMs: present.startMs, undo: without(present.name) }]),
  ];
}

function without(tag: string): Edit["undo"] {
  return (offer) => ({ ...offer, tags: offer.tags.filter(({ name }) => name !== tag) });
}

function withTag(tag: string): Edit["undo"] {
  return (offer) => ({ ...offer, tags: [...offer.tags, tagNamed(tag)] });
}

/** The offer on the day of its creation: fewer pictures and tags, no long description. */
function announcement(offer: OfferRecord): OfferRecord {
  return {
    ...offer,
    longDescription: null,
    status: "INACTIVE",
    lastModifiedDate: offer.creationDate,
    keyImages: offer.keyImages.slice(0, 1),
    tags: offer.tags.slice(0, 2),
    refundType: null,
  };
}
