import { identifier } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Seed } from "./seed.ts";
import { playerAdjectives, playerNouns } from "./words/reviews.ts";

/** A player as a review shows them. */
export interface PlayerRecord {
  readonly id: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
}

/** How many players write reviews, whatever the catalogue's size. */
const playerCount = 50_000;

/** One of the players; the same one always looks the same. */
export function createPlayer(random: Random, seed: Seed): PlayerRecord {
  const number = random.integer(0, playerCount - 1);
  const naming = new Random(seed, "player", number);
  const id = identifier(seed, "player", number);
  const digits = naming.chance(0.4) ? String(naming.integer(1, 99)) : "";
  return {
    id,
    displayName: naming.pick(playerAdjectives) + naming.pick(playerNouns) + digits,
    avatarUrl: naming.chance(0.7) ? `https://avatars.example.invalid/${id.slice(0, 12)}.png` : null,
  };
}
