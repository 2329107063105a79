import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const detective: Genre = {
  key: "detective",
  name: "detective adventure",
  tags: ["Detective", "Adventure", "Mystery", "Noir", "Story Rich", "Point and Click"],
  minimumAge: 12,
  adjectives: words(`
    Inkstained Crooked Velvet Unsigned Rainy Second-Hand Perjured Smoky Vanishing
    Confidential Missing Borrowed
  `),
  nouns: words(`
    Alibi Verdict Witness Telegram Inquest Lodger Heirloom Dossier Monocle Suspect
    Fingerprint Testimony Casebook Motive
  `),
  moods: words("witty noir-tinged slow-paced twist-laden smoky"),
  heroes: phrases(`
    a private eye with a gambling habit
    a court stenographer
    the only honest inspector in town
    a crime novelist in her own plot
    a ghost with questions
  `),
  goals: phrases(`
    solve the murder of an opera singer
    interview eleven liars
    piece together a torn telegram
    clear the name of your estranged brother
    follow the money through three banks
    name the culprit before the train arrives
  `),
  places: phrases(`
    on a night express through the mountains
    in a rain-soaked harbour town
    at a masked ball
    in a seaside hotel out of season
    in the offices of a failing newspaper
    among the tenants of a grand old apartment house
  `),
  threats: phrases(`
    everyone has an alibi and nobody has the truth
    the evidence disappears between visits
    the killer sends you crossword clues
    your partner may be on the payroll
    the clock of the town hall runs backwards
  `),
  features: phrases(`
    Interrogate suspects and catch their lies with real evidence
    A casebook that never tells you whether you are right
    Accuse anyone: the story goes on, even when you are wrong
    Hand-painted scenes and a live jazz score
    Fully voiced, with subtitles for every smirk
    Five cases that turn out to be one
  `),
  addOns: phrases(`
    The Case of the Second Will
    Midnight Edition
    Inspector's Wardrobe
    Letters Never Sent
    The Opera Affair
    Jazz Cellar Recordings
  `),
  currency: "Clue Chips",
  praise: phrases(`
    I filled a notebook and still accused the wrong person.
    The dialogue is sharp and the mystery plays fair with its clues.
    The voice acting and the jazz make the noir mood perfect.
  `),
  complaints: phrases(`
    The culprit is obvious after the first interview.
    Walking back and forth between scenes is half of the game.
    One clue did not trigger and the case could not be closed.
  `),
};
