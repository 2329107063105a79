import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const rolePlaying: Genre = {
  key: "rolePlaying",
  name: "fantasy role-playing",
  tags: ["RPG", "Fantasy", "Open World", "Story Rich", "Adventure", "Character Customization"],
  minimumAge: 12,
  adjectives: words(`
    Runebound Oathless Gilded Thornwoven Wyrmlit Ashborn Crowned Elder Moonforged Wandering
    Hallowed Iron-Sworn
  `),
  nouns: words(`
    Oath Grimoire Barrow Wyrm Chalice Hearthstone Pilgrim Sceptre Covenant Warden Tapestry
    Bastion Saga Thane
  `),
  moods: words("sweeping epic heroic legendary bittersweet"),
  heroes: phrases(`
    an exiled squire
    a hedge witch without a coven
    the seventh child of a dragon hunter
    a paladin who broke an oath
    a thief cursed to tell the truth
  `),
  goals: phrases(`
    unite the feuding clans
    return a stolen crown
    master forgotten schools of magic
    bargain with the dragon under the mountain
    gather a party of outcasts
    decide which of two gods deserves a throne
  `),
  places: phrases(`
    in a kingdom of nine rivers
    across the ruins of an elven empire
    under a moon that has begun to crack
    in the market cities of the southern desert
    on the borders of the faerie wood
    along the old pilgrim road
  `),
  threats: phrases(`
    an undead army marches from the north
    every spell costs a memory
    your companions keep secrets of their own
    the kings play their games with your village
    prophecies come true in the wrong order
  `),
  features: phrases(`
    Real-time combat you can pause, or turn-based if you prefer
    A class system with no classes: learn swords, spells and lies from whoever will teach you
    Quests with more than one right answer and lasting consequences
    A party of companions who argue, leave and come back
    Craft weapons and potions from what dragons leave behind
    More than eighty hours of quests and dungeons
  `),
  addOns: phrases(`
    The Barrow King
    Song of the Ninth River
    Armour of the Oathless
    Tales from the Pilgrim Road
    The Dragon's Ledger
    Familiars and Hexes
  `),
  currency: "Crown Shards",
  praise: phrases(`
    Eighty hours in and my companions still surprise me.
    The quests have real choices, I lost a whole village because of a lie.
    Magic, swords, dragons and writing that is actually funny.
  `),
  complaints: phrases(`
    A map full of markers and fetch quests.
    The inventory is a second dragon to fight.
    Combat turns into a numbers game after level twenty.
  `),
};
