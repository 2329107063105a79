import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const roguelike: Genre = {
  key: "roguelike",
  name: "roguelike dungeon crawler",
  tags: ["Roguelike", "Dungeon Crawler", "Action", "Procedural", "Difficult", "Indie"],
  minimumAge: 12,
  adjectives: words(`
    Endless Brittle Loaded Cursed Many-Doored Reckless Thrice-Dead Hexed Ragged Bottomless
    Lucky Unwinding
  `),
  nouns: words(`
    Descent Die Catacomb Relic Rerun Torch Gauntlet Trapdoor Curse Hoard Stairwell Respawn
    Loot Delver
  `),
  moods: words("relentless unpredictable fast-paced moreish unforgiving"),
  heroes: phrases(`
    a gambler who owes Death a favour
    an immortal goat
    a disgraced dungeon guide
    a knight made of spare parts
    an apprentice sent for firewood
  `),
  goals: phrases(`
    descend one more floor
    stack relics until the rules break
    cheat a dice-playing demon
    escape the same dungeon a hundred times
    steal the crown and make it back up the stairs
    combine spells that were never meant to meet
  `),
  places: phrases(`
    in a tower that grows downward
    in catacombs that are never the same twice
    inside the dream of a sleeping giant
    below the tavern at the end of the world
    in a vault full of honest mimics
    through seven rearranging hells
  `),
  threats: phrases(`
    death sends you back to the first door
    the dungeon deals new rooms each run
    your torch counts the minutes
    every relic comes with a curse
    the boss has read your build
  `),
  features: phrases(`
    Procedurally generated floors: no two runs are alike
    More than three hundred relics that combine in indecent ways
    Permanent death, and permanent unlocks to sweeten it
    Daily seeds with leaderboards
    A run takes thirty minutes, or so you will tell yourself
    Turn-based or real-time: switch between runs
  `),
  addOns: phrases(`
    Thirteenth Floor
    The Mimic's Wardrobe
    Curses and Coins
    Delver's Starter Kit
    The Honest Demon
    Bottomless Bag
  `),
  currency: "Bone Coins",
  praise: phrases(`
    One more run, I said, at midnight, and at two, and at four.
    The relic combinations are absurd and every death taught me something.
    Short runs, tight combat, random rooms that never feel unfair.
  `),
  complaints: phrases(`
    Too much luck: a bad seed is dead by floor three.
    Unlocks are a grind to make the runs bearable.
    Bosses have far too much health for a thirty minute run.
  `),
};
