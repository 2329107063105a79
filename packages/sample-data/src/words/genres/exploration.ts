import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const exploration: Genre = {
  key: "exploration",
  name: "underwater exploration",
  tags: ["Exploration", "Adventure", "Atmospheric", "Underwater", "Survival", "Crafting"],
  minimumAge: 7,
  adjectives: words(`
    Fathomless Coral Bioluminescent Sunken Abyssal Tidal Pelagic Pearl-Grey Sounding
    Brackish Undertow Lanternfish
  `),
  nouns: words(`
    Trench Atoll Bathysphere Kelp Shoal Reef Sonar Current Wreck Leviathan Nautilus Lagoon
    Plankton Benthos
  `),
  moods: words("serene atmospheric mysterious luminous breathtaking"),
  heroes: phrases(`
    a marine biologist
    a diver with a homemade submarine
    the last pearl fisher
    a whale-song researcher
    a stranded cable engineer
  `),
  goals: phrases(`
    explore the deepest trench
    catalogue three hundred sea creatures
    build a base on the ocean floor
    raise a sunken liner piece by piece
    follow the whales to their meeting place
    craft oxygen, light and a way home
  `),
  places: phrases(`
    below the ice of a polar sea
    around a drowned temple
    on a planet made of water
    among forests of glowing kelp
    in the wrecks of a forgotten fleet
    on a coral reef that hums at night
  `),
  threats: phrases(`
    your air is measured in breaths
    something enormous sleeps below
    the current pulls you off every map
    pressure bends the hull of your submarine
    the light ends at two hundred metres
  `),
  features: phrases(`
    Dive freely through one seamless ocean
    Build submarines and underwater bases room by room
    Fish, whales and jellyfish with their own food chain
    Scan every creature for your field guide
    Sonar, currents and pressure as tools, not obstacles
    A peaceful mode without hunger or danger
  `),
  addOns: phrases(`
    Kelp Forest Base Parts
    Deep Light Submarine
    The Drowned Temple
    Whale Song Recordings
    Coral Colours
    Field Guide Supplement
  `),
  currency: "Pearls",
  praise: phrases(`
    Drifting over the reef at night is the most beautiful thing I have played.
    The deep trench scared me more than any horror game, and I loved diving it.
    Building a base under the sea with friends, perfect.
  `),
  complaints: phrases(`
    Oxygen runs out every two minutes in the first hours.
    Swimming back and forth for titanium gets old.
    My submarine clipped into the seabed and stayed there.
  `),
};
