import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const survivalHorror: Genre = {
  key: "survivalHorror",
  name: "survival horror",
  tags: ["Horror", "Survival", "Adventure", "Psychological", "Dark", "Story Rich"],
  minimumAge: 18,
  adjectives: words(`
    Drowned Sleepless Hushed Rotting Ashen Moth-Eaten Buried Fevered Unlit Weeping Salted
    Nameless
  `),
  nouns: words(`
    Ward Marrow Vigil Cellar Lullaby Wick Attic Pulse Orchard Mire Procession Nursery
    Whisper Tallow
  `),
  moods: words("dread-filled claustrophobic merciless slow-burning nightmarish"),
  heroes: phrases(`
    a night nurse
    a deaf lighthouse keeper
    a young archivist with no memory
    a father looking for his daughter
    the last caretaker on the list
  `),
  goals: phrases(`
    find the missing night shift
    keep the generator alive until dawn
    learn who is writing in your diary
    ration eleven bullets and one lamp
    seal every door before the knocking starts
    carry the bell out without ringing it
  `),
  places: phrases(`
    in a flooded sanatorium
    beneath an abandoned fishing village
    on an oil rig that no map shows
    in the corridors of a boarded-up school
    in a forest where the fog never lifts
    inside a hotel with one floor too many
  `),
  threats: phrases(`
    something keeps copying your footsteps
    the monsters hunt by sound
    the dead refuse to stay in their rooms
    your own shadow falls behind
    a creature learns from every place you hide
  `),
  features: phrases(`
    Scarce ammunition and a lantern that burns your sanity make every room a decision
    One relentless stalker that listens, remembers and opens doors
    Binaural sound: close your eyes and you still know where the monster is
    Save only at candle-lit shrines, if you still have wax
    Puzzles built into a haunted house that rearranges itself
    Several endings, most of which you do not survive
  `),
  addOns: phrases(`
    The Ninth Candle
    Letters from the Cellar
    Lantern of the Drowned
    The Understudy's Room
    Bandages and Brine
    Midnight Choir
  `),
  currency: "Candle Wax",
  praise: phrases(`
    I played with the lights on and still had to stop twice.
    The sound design is terrifying, you hear the monster breathe behind you.
    Every bullet counts and every corridor feels like a trap.
  `),
  complaints: phrases(`
    The scares repeat themselves after the second hour.
    Too dark to see anything, and not in the good way.
    The stalker gets stuck on doors, which kills the fear.
  `),
};
