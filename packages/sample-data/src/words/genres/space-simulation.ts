import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const spaceSimulation: Genre = {
  key: "spaceSimulation",
  name: "space simulation",
  tags: ["Space", "Simulation", "Open World", "Sci-Fi", "Exploration", "Trading"],
  minimumAge: 7,
  adjectives: words(`
    Parallax Ionised Starless Orbital Perihelion Tidal Sublight Farthest Silvered
    Heliographic Drifting Outbound
  `),
  nouns: words(`
    Apogee Beacon Freighter Corona Lagrange Transit Hull Drydock Ephemeris Vector Moonlet
    Relay Burn Manifest
  `),
  moods: words("vast lonely meticulous awe-inspiring patient"),
  heroes: phrases(`
    a freelance hauler
    a retired survey pilot
    a salvage captain in debt
    the navigator of a generation ship
    an ice miner with one good engine
  `),
  goals: phrases(`
    chart the unnamed moons
    smuggle medicine past three blockades
    build a trading fleet from a single shuttle
    bring a stranded station back into orbit
    settle the debts of your crew
    find the source of a signal older than your species
  `),
  places: phrases(`
    across four hundred star systems
    on the rim of a collapsing nebula
    between the rings of a gas giant
    aboard a creaking cargo freighter
    in the silence between two colonies
    around a star that is about to die
  `),
  threats: phrases(`
    pirates read the same charts as you
    fuel prices fall and rise with every war
    your oxygen budget shrinks by the minute
    the factions remember whom you sold to
    solar storms blind your instruments
  `),
  features: phrases(`
    Newtonian flight: mass, inertia and a fuel gauge that never lies
    A living economy in which every cargo comes from somewhere
    Walk through your spaceship and repair every pipe by hand
    Land on planets without a loading screen
    Full support for flight sticks, pedals and head tracking
    Dock, refuel, negotiate, and get out before the fighters scramble
  `),
  addOns: phrases(`
    Deep Freight Hull
    Nebula Paint Set
    Ring Miner's Licence
    The Quiet Armada
    Survey Drone Squadron
    Captain's Quarters
  `),
  currency: "Orbit Credits",
  praise: phrases(`
    Docking by hand after a long haul is pure joy.
    The sense of scale is enormous, I just drift and look at the planets.
    Trading routes, mining and piracy all feel like real jobs in space.
  `),
  complaints: phrases(`
    Hours of empty space between anything worth doing.
    The flight model needs a pilot's licence and the tutorial does not help.
    My freighter fell through a station and the cargo was gone.
  `),
};
