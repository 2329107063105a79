import { dayMs, iso, momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { createTags } from "./tag.ts";
import { Random } from "./random.ts";
import type { Sandbox, Slot } from "./sandbox.ts";
import type { TagReference } from "./tag.ts";
import { capitalize, expand, locales } from "./words.ts";
import type { Locale } from "./words.ts";

interface OfferTextRecord {
  readonly offerId: string;
  readonly locale: string;
  readonly namespace: string;
  readonly source: string;
  readonly fetchedAt: string;
  readonly sourceUpdatedAt: string | null;
  /** Absent members do not change the canonical text; null would overwrite it. */
  readonly title?: string;
  readonly description?: string;
  readonly longDescription?: string;
  readonly tags?: readonly TagReference[];
}

/** Texts of a sandbox: of six in ten games, in one to four of the locales. */
export function observeOfferTexts(sandbox: Sandbox): Observed<"offerText", OfferTextRecord>[] {
  const { source, game, slots } = sandbox;
  return slots.flatMap((slot) => {
    const random = new Random(source.seed, "offerText", slot.number);
    const share = slot.role === "baseGame" ? 0.6 : slot.role === "edition" ? 0.2 : 0;
    if (!random.chance(share) && slot.number > 0) return [];
    const count = game.index === 0 ? locales.length : random.integer(1, 4);
    return random.pickMany(locales, count).map((locale) => observeText(sandbox, slot, locale));
  });
}

function observeText(
  sandbox: Sandbox,
  slot: Slot,
  locale: Locale,
): Observed<"offerText", OfferTextRecord> {
  const { source, game } = sandbox;
  const random = new Random(source.seed, "offerText", textNumber(slot, locale));
  const fetchedMs = momentBetween(random, game.createdMs + dayMs, source.nowMs);
  const title = translateTitle(random, slot, locale);
  const parts = { title, genre: locale.genres[game.genre.key] };
  const description = capitalize(expand(random.pick(locale.descriptions), parts));
  const full = random.chance(0.6);
  return observe("offerText", fetchedMs, {
    offerId: slot.offerId,
    locale: locale.locale,
    namespace: game.namespace,
    source: "publisher",
    fetchedAt: iso(fetchedMs),
    sourceUpdatedAt: random.chance(0.8) ? iso(fetchedMs - dayMs) : null,
    ...(title === slot.title ? {} : { title }),
    description,
    ...(full ? { longDescription: `${description} ${locale.sentences.join(" ")}` } : {}),
    ...(random.chance(0.4) ? { tags: translateTags(sandbox, slot, locale) } : {}),
  });
}

/** Locales with a script of their own retitle two thirds of the games. */
function translateTitle(random: Random, slot: Slot, locale: Locale): string {
  if (locale.titleStarts.length === 0 || slot.role !== "baseGame" || random.chance(0.33))
    return slot.title;
  return random.pick(locale.titleStarts) + random.pick(locale.titleEnds);
}

function translateTags({ source, game }: Sandbox, slot: Slot, locale: Locale): TagReference[] {
  return createTags(source.seed, game, slot).map(({ id, name }) => ({
    id,
    name: locale.tags[name] ?? name,
  }));
}

/** Numbers below zero, so that a locale's random numbers differ from its offer's. */
function textNumber(slot: Slot, locale: Locale): number {
  return -1 - slot.number * locales.length - locales.indexOf(locale);
}
