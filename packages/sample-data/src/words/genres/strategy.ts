import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const strategy: Genre = {
  key: "strategy",
  name: "turn-based strategy",
  tags: ["Strategy", "Turn-Based Strategy", "War", "Tactical", "Historical", "Management"],
  minimumAge: 12,
  adjectives: words(`
    Besieged Marching Iron Contested Embattled Sovereign Flanking Frostbound Allied Broken
    Vanguard Uneasy
  `),
  nouns: words(`
    Bastion Armistice Legion Frontier Siege Regent Muster Rampart Campaign Garrison Treaty
    Banner Cavalry Dominion
  `),
  moods: words("demanding tense cerebral ruthless grand"),
  heroes: phrases(`
    the regent of a divided realm
    a general without an army
    the quartermaster of a lost legion
    an envoy between two empires
    the last free city
  `),
  goals: phrases(`
    hold the river crossing for thirty turns
    win a war without a single battle
    march ten divisions through the snow
    forge alliances you intend to break
    besiege a fortress that never fell
    lead a company of mercenaries to glory
  `),
  places: phrases(`
    across a continent of hexes
    in the passes of a frozen range
    along a front of trenches and rumours
    on the steppe between two great walls
    in an archipelago of rival fleets
    around a capital that starves
  `),
  threats: phrases(`
    every turn the enemy adapts to your doctrine
    supply lines stretch and snap
    your officers have ambitions
    spring turns each road into mud
    the council wants a victory before the harvest
  `),
  features: phrases(`
    Simultaneous turns: plan, commit, regret
    Officers with traits, grudges and long memories
    Diplomacy in which promises are recorded and lies are expensive
    A campaign of forty missions and an endless sandbox map
    Hot-seat, online and play-by-mail multiplayer
    Every unit, map and event can be modded
  `),
  addOns: phrases(`
    Winter Offensive
    Banners of the Steppe
    The Admiral's War
    Siege Engines
    Uniforms of the Old Guard
    Treaty and Treason
  `),
  currency: "War Bonds",
  praise: phrases(`
    Supply lines finally matter and a good retreat feels like a victory.
    The enemy commanders adapt, I had to rethink every turn.
    Diplomacy with consequences, I am still paying for a lie in turn nine.
  `),
  complaints: phrases(`
    The late campaign drags, with two hundred units to move each turn.
    The tutorial explains nothing about supply.
    The AI declares war and then forgets to march.
  `),
};
