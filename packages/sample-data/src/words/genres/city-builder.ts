import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const cityBuilder: Genre = {
  key: "cityBuilder",
  name: "city builder",
  tags: ["City Builder", "Simulation", "Strategy", "Management", "Relaxing", "Sandbox"],
  minimumAge: 0,
  adjectives: words(`
    Brickwork Terraced Canal-Side Cobbled Hanging Chartered Sooted Tidewater Lamplit Gridded
    Windward Founding
  `),
  nouns: words(`
    Quarter Aqueduct Borough Viaduct Ledger Rooftop Mayor Guildhall Tramway Parish Reservoir
    Causeway Mill Skyline
  `),
  moods: words("thoughtful soothing intricate industrious patient"),
  heroes: phrases(`
    the newly elected mayor
    an engineer with a free hand
    the steward of a bankrupt province
    a surveyor sent upriver
    the head of a settlers' council
  `),
  goals: phrases(`
    turn a muddy ford into a capital
    plan streets, sewers and tram lines
    feed ten thousand citizens through the winter
    balance a budget that never balances
    rebuild a town after the great flood
    keep every district happy and employed
  `),
  places: phrases(`
    on a chain of volcanic islands
    in a river delta that shifts each spring
    along a cold northern coast
    on terraces cut into a cliff
    under the glass dome of a desert crater
    around a harbour full of rival guilds
  `),
  threats: phrases(`
    traffic grows faster than your roads
    the factories want the same land as the parks
    every winter is longer than the last
    the old families vote against each new tax
    the river keeps moving its bed
  `),
  features: phrases(`
    Place roads freely, along curves, bridges and tunnels
    Every citizen has a home, a job, a walk to work and an opinion
    Production chains from clay pit to cathedral
    Disasters you can switch off, and neighbours you cannot
    A photo mode for the city you have built
    Share districts and maps with other mayors
  `),
  addOns: phrases(`
    Harbour Quarter
    Trams and Trolleys
    Gardens of the Delta
    Winter Markets
    Monuments of Brick
    The Upper Town
  `),
  currency: "Guild Marks",
  praise: phrases(`
    I looked up and it was three in the morning and my city had a tram network.
    Watching citizens walk to work on roads I planned is so relaxing.
    The production chains are deep without being a spreadsheet.
  `),
  complaints: phrases(`
    Traffic is broken once the population passes fifty thousand.
    The building menus hide half of what you need.
    After the harbour is done there is nothing left to plan.
  `),
};
