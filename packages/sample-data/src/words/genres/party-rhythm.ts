import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const partyRhythm: Genre = {
  key: "partyRhythm",
  name: "party and rhythm",
  tags: ["Party", "Music", "Casual", "Local Multiplayer", "Family Friendly", "Comedy"],
  minimumAge: 0,
  adjectives: words(`
    Syncopated Offbeat Jangling Disco Wonky Fizzy Loud Brassy Tuneless Festive Encore
    Marching
  `),
  nouns: words(`
    Tambourine Kazoo Karaoke Tempo Parade Drumroll Mixtape Chorus Polka Metronome Jamboree
    Trombone Confetti Conga
  `),
  moods: words("hilarious noisy infectious silly upbeat"),
  heroes: phrases(`
    a brass band of raccoons
    the worst DJ in town
    a choir of kitchen tools
    a drummer with two left feet
    eight very competitive friends
  `),
  goals: phrases(`
    hit every beat
    out-dance your neighbours
    play fifty mini-games in one evening
    conduct an orchestra of frogs
    shout, clap and cheat your way to victory
    write songs and make others play them
  `),
  places: phrases(`
    at the loudest street festival on earth
    in a disco on a moving train
    on a game show with no rules
    in your own living room
    backstage at a disastrous concert
    on a cruise ship with a leaking piano
  `),
  threats: phrases(`
    the tempo doubles without warning
    the audience throws vegetables
    your controller is also the tambourine
    everybody is off-key, which counts
    the loser does the dishes
  `),
  features: phrases(`
    More than ninety mini-games for two to eight players
    Play with phones, pads or plain clapping
    Sixty original songs from polka to drum and bass
    Calibration that really finds your latency
    Teams, tournaments and shameless handicaps
    Import a track and dance to it
  `),
  addOns: phrases(`
    Polka Track Pack
    Confetti Cannon
    Raccoon Band Outfits
    Encore Songs
    Mini-Games After Dark
    The Long Conga
  `),
  currency: "Encore Stars",
  praise: phrases(`
    We laughed until the neighbours knocked, best party game of the year.
    Great songs and the timing feels spot on.
    Eight players on phones, nobody had to learn anything.
  `),
  complaints: phrases(`
    Half of the mini-games are the same mini-game.
    Input lag on my television makes the rhythm parts impossible.
    Fun for one evening, and only with the right people.
  `),
};
