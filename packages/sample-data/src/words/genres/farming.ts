import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const farming: Genre = {
  key: "farming",
  name: "farming and life simulation",
  tags: ["Farming", "Life Simulation", "Relaxing", "Casual", "Simulation", "Cute"],
  minimumAge: 0,
  adjectives: words(`
    Buttercup Mossy Honeyed Sunlit Rustling Clover Dewy Homespun Windfall Gentle Freckled
    Blossoming
  `),
  nouns: words(`
    Acre Meadow Hedgerow Pantry Orchard Kettle Beehive Harvest Greenhouse Barn Almanac Porch
    Pasture Sprout
  `),
  moods: words("cosy heart-warming gentle unhurried charming"),
  heroes: phrases(`
    a tired clerk from the city
    a grandchild with an overgrown farm
    a travelling beekeeper
    the new baker of the village
    a retired wizard
  `),
  goals: phrases(`
    grow crops through four seasons
    raise goats, geese and a very stubborn donkey
    befriend every neighbour
    restore the old watermill
    win the pumpkin fair
    cook forgotten recipes from your own garden
  `),
  places: phrases(`
    in a valley behind the last railway stop
    on a small island with one shop
    at the edge of an enchanted wood
    in a mountain village with hot springs
    on a terrace farm above the clouds
    beside a slow green river
  `),
  threats: phrases(`
    the seasons turn and the rain decides your day
    the villagers gossip, quarrel and fall in love
    the mayor hopes for a better festival than last year
    a fox is very interested in your hens
    winter is coming and the cellar is half empty
  `),
  features: phrases(`
    Plant, water and harvest more than eighty crops
    Decorate your cottage, barn and garden as you like
    Fishing, foraging, beekeeping and cheese making
    Romance and friendship with thirty villagers, all with their own schedule
    No timers and no way to lose, ever
    Farm together with up to four friends
  `),
  addOns: phrases(`
    Cottage Garden Set
    Goose Friends
    The Beekeeper's Almanac
    Festival Outfits
    Orchard Cabin
    Teapot Collection
  `),
  currency: "Acorns",
  praise: phrases(`
    The cosiest farm I have ever owned, I named every goose.
    Perfect after work: water the crops, talk to the villagers, go fishing.
    My kids and I share a farm and nobody ever loses.
  `),
  complaints: phrases(`
    The days are too short to water everything before bedtime.
    Fishing is a chore and the villagers repeat the same lines.
    It feels unfinished once the second winter arrives.
  `),
};
