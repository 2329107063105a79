import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const shooter: Genre = {
  key: "shooter",
  name: "first-person shooter",
  tags: ["Shooter", "FPS", "Action", "Cyberpunk", "Multiplayer", "Competitive"],
  minimumAge: 16,
  adjectives: words(`
    Neon Overclocked Chrome Hollow-Point Live-Wire Blackout Synthetic Ballistic Rogue
    Armoured Wired Zero-Hour
  `),
  nouns: words(`
    Protocol Recoil Sector Payload Crossfire Voltage Trigger Override Firewall Breach Magnum
    Overpass Sentinel Tracer
  `),
  moods: words("explosive gritty blistering brutal kinetic"),
  heroes: phrases(`
    a courier with stolen implants
    the last member of a breach team
    a bounty hunter on a losing streak
    a rebel sniper
    a decommissioned combat android
  `),
  goals: phrases(`
    break into a corporate tower
    hack, shoot and slide through the defences
    hold the reactor against wave after wave
    take the city back block by block
    extract the witness alive
    upgrade your body one illegal part at a time
  `),
  places: phrases(`
    in a neon megacity under permanent rain
    on the decks of a hijacked carrier
    in the trenches of a robot war
    through the vents of an orbital prison
    in a walled district without electricity
    across the roofs of a vertical slum
  `),
  threats: phrases(`
    security drones sweep the streets
    your implants are running out of warranty
    the corporation owns the police
    rival squads want the same payload
    every shot tells them where you are
  `),
  features: phrases(`
    Gunplay with weight: recoil, penetration and destructible cover
    Slide, wall-run and grapple without losing aim
    A solo campaign of fourteen missions and ranked squads of five
    Weapons you can rebuild down to the firing pin
    Dedicated servers and protection against cheaters
    Neon streets with ray-traced reflections
  `),
  addOns: phrases(`
    Chrome Arsenal
    Blackout Skins
    Season of Rust
    Operator Pack
    Midnight Precinct
    Breach Team Bundle
  `),
  currency: "Volt Chips",
  praise: phrases(`
    The guns kick like mules and the movement is so fast.
    Rainy neon city, great missions, tight squad shooting.
    Ranked matches are tense and the servers are stable.
  `),
  complaints: phrases(`
    Matchmaking throws beginners to the wolves.
    Too many skins, too few maps.
    The campaign is five hours of corridors and cutscenes.
  `),
};
