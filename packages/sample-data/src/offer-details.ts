import { identifier, Random } from "./random.ts";
import { createImages } from "./shared-members.ts";
import type { Game } from "./game.ts";
import { dayMs, iso, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import type { Sandbox, Slot } from "./sandbox.ts";
import type { Source } from "./random.ts";

/** Three free-form objects shown in an offer's overview. */
interface OfferDetailsRecord {
  readonly offerId: string;
  readonly media: Readonly<Record<string, unknown>>;
  readonly extdb: Readonly<Record<string, unknown>> | null;
  readonly polls: Readonly<Record<string, unknown>> | null;
}

/** Details of a sandbox: of every second base game. */
export function observeOfferDetails({
  source,
  game,
  slots,
}: Sandbox): Observed<"offerDetails", OfferDetailsRecord>[] {
  const random = new Random(source.seed, "details", game.index);
  if (!random.chance(0.5) && game.index > 0) return [];
  return slots.slice(0, 1).map((slot) =>
    observe("offerDetails", source.nowMs - random.integer(1, 60) * dayMs, {
      offerId: slot.offerId,
      media: createMedia(source, game, slot, random.chance(0.3)),
      extdb: random.chance(0.5) || game.index === 0 ? createExternal(random, game) : null,
      polls: random.chance(0.5) || game.index === 0 ? createPolls(random, game) : null,
    }),
  );
}

function createMedia({ seed }: Source, game: Game, slot: Slot, hasVideo: boolean) {
  const id = identifier(seed, "details", slot.number, 24);
  const video = {
    _id: id,
    outputs: [
      {
        key: "high",
        url: `https://videos.example.invalid/${id}.webm`,
        contentType: "video/webm",
        duration: 90,
        width: 1920,
        height: 1080,
      },
    ],
  };
  return {
    _id: slot.offerId,
    namespace: game.namespace,
    images: createImages(seed, slot.number, 5)
      .slice(3)
      .map(({ md5, url }) => ({ _id: md5.slice(0, 24), src: url })),
    videos: hasVideo ? [video] : [],
  };
}

/** An entry of an external game database. */
function createExternal(random: Random, game: Game) {
  const rating = Math.round(game.quality * 1000) / 10;
  const hastilySeconds = random.integer(1, 30) * 3600;
  return {
    name: game.title,
    slug: game.slug,
    url: `https://extdb.example.invalid/games/${game.slug}`,
    summary: game.title,
    rating,
    rating_count: random.integer(3, 4000),
    aggregated_rating: Math.min(100, rating + random.integer(-5, 5)),
    first_release_date: Math.floor(game.releasedMs / 1000),
    timeToBeat: {
      hastily: hastilySeconds,
      normally: hastilySeconds * 2,
      completely: hastilySeconds * 4,
    },
    updatedAt: iso(game.createdMs),
  };
}

const questions = [
  { text: "Is the story gripping?", resultText: "Players like the story", emoji: "📖" },
  { text: "Is this a relaxing game?", resultText: "Players find it relaxing", emoji: "🌿" },
  { text: "Is it good with friends?", resultText: "Players play it together", emoji: "🎲" },
  { text: "Is it hard?", resultText: "Players find it hard", emoji: "⛰️" },
];

/** Polls of players; the average is from 0 to 5. */
function createPolls(random: Random, game: Game) {
  return {
    _id: game.namespace,
    averageRating: Math.round(game.quality * 500) / 100,
    pollResult: random.pickMany(questions, random.integer(1, 4)).map((localizations, n) => ({
      id: n + 1,
      localizations,
      total: random.integer(5, 900),
    })),
  };
}
