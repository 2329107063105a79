import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const racing: Genre = {
  key: "racing",
  name: "racing",
  tags: ["Racing", "Driving", "Sports", "Arcade", "Competitive", "Realistic"],
  minimumAge: 7,
  adjectives: words(`
    Redline Apex Full-Throttle Chicane Slipstream Gravel Burnt Downforce Headlong Overrun
    Hairpin Tarmac
  `),
  nouns: words(`
    Circuit Rally Gearbox Paddock Drift Lap Pitlane Camber Exhaust Stage Throttle Grid
    Podium Tyre
  `),
  moods: words("high-speed adrenaline-soaked precise roaring furious"),
  heroes: phrases(`
    a test driver nobody has heard of
    a mechanic with a borrowed car
    a former champion
    the rookie of a family team
    a night courier
  `),
  goals: phrases(`
    win a season on worn-out tyres
    tune an engine by ear
    drift through forty mountain passes
    climb from kart track to grand circuit
    beat the clock on ice, gravel and wet tarmac
    hold the lead through one last hairpin
  `),
  places: phrases(`
    on a coastal road at midnight
    across a desert rally of nine stages
    on the banked oval of an old airfield
    through the rain of an alpine pass
    in a harbour town closed for the weekend
    on salt flats as wide as the horizon
  `),
  threats: phrases(`
    your rivals learn your racing line
    the weather changes in the middle of the lap
    the brakes are already glowing
    every scratch comes out of your prize money
    the pit crew has four seconds
  `),
  features: phrases(`
    Tyre temperature, fuel load and track rubber you can feel in the wheel
    A hundred cars from rusty hatchback to prototype
    Split-screen for four and online grids of thirty
    Rewind a crash, or drive the season without a safety net
    Dynamic weather that turns a dry lap into a gamble
    Build your own track and race your friends on it
  `),
  addOns: phrases(`
    Gravel Legends Car Pack
    Night Circuit
    Works Team Liveries
    Alpine Stage
    Vintage Engines
    Neon Underglow Set
  `),
  currency: "Pit Tokens",
  praise: phrases(`
    The sense of speed is incredible and the cars feel heavy in the right way.
    Drifting the mountain pass at night with a wheel is the best racing this year.
    Online races are close and mostly clean.
  `),
  complaints: phrases(`
    The rubber band of the rival cars ruins every lap.
    Too few tracks, and the tyre model punishes pad players.
    Ninety seconds of loading for a three minute race.
  `),
};
