import type { QuerySet } from "./query-set.ts";

/** Queries that ranking was never tuned with: other concepts, words and names of offers. They measure what tuning is worth. */
export const heldOutQueries: QuerySet = {
  generated: [
    { text: "scraping by with the last bullets and a dying lamp", tags: ["Survival"] },
    { text: "is it only in my head or does somebody follow me", tags: ["Psychological"] },
    { text: "a lonely keeper, fog and a bell that must not ring", tags: ["Dark"] },
    {
      text: "leave the office behind and start over in the countryside",
      tags: ["Life Simulation"],
    },
    { text: "unwind after work with animals and a little garden", tags: ["Casual"] },
    { text: "beekeeper with hens, cheese and a watermill", tags: ["Life Simulation"] },
    { text: "behind the wheel through mountain passes in the rain", tags: ["Driving"] },
    { text: "grease, engines and a pit crew", tags: ["Driving"] },
    { text: "striker, goalkeeper and a whistle from the referee", tags: ["Sports"] },
    { text: "promotion with a team of amateurs on a tiny budget", tags: ["Sports"] },
    {
      text: "smoke, jazz, a private eye in a bad mood",
      tags: ["Detective", "Noir", "Point and Click"],
    },
    {
      text: "everybody on the train lies to me about the killing",
      tags: ["Adventure", "Detective"],
    },
    { text: "haul freight, dodge pirates and pay your debts", tags: ["Trading", "Simulation"] },
    {
      text: "a nebula, two colonies and a signal nobody understands",
      tags: ["Simulation", "Space"],
    },
    {
      text: "sewers, taxes and tram lines for ten thousand people",
      tags: ["Simulation", "Strategy"],
    },
    { text: "rebuild after the flood and balance the budget", tags: ["Strategy", "Management"] },
    { text: "trenches, sieges and officers with a grudge", tags: ["Strategy", "Historical"] },
    { text: "a council, a treaty and mercenaries in the snow", tags: ["Strategy", "Historical"] },
    { text: "hackers with implants in a neon megacity", tags: ["Action", "Cyberpunk"] },
    { text: "recoil, grapples and squads under permanent rain", tags: ["Action", "Multiplayer"] },
    { text: "cheat death with relics and dice", tags: ["Action", "Procedural"] },
    { text: "catacombs that look new every time I come back", tags: ["Action", "Procedural"] },
    {
      text: "a thing for eight loud people, clapping and shouting",
      tags: ["Casual", "Local Multiplayer", "Comedy"],
    },
    {
      text: "frogs in an orchestra and a drummer who cannot keep time",
      tags: ["Casual", "Local Multiplayer", "Comedy"],
    },
    {
      text: "a whale song from the deep and pressure on the hull",
      tags: ["Adventure", "Crafting", "Survival"],
    },
    {
      text: "kelp forests, jellyfish and a homemade base on the sea floor",
      tags: ["Adventure", "Atmospheric"],
    },
    { text: "a squirrel that dashes home across the rooftops", tags: ["Action", "Indie"] },
    { text: "secret exits, silly hats and a speedrun clock", tags: ["Action", "Indie"] },
    { text: "light, shadows, marbles and no timer at all", tags: ["Casual", "Indie"] },
    { text: "rooms that fold into each other in an old museum", tags: ["Casual", "Indie"] },
    {
      text: "a paladin, a hedge witch and two quarrelling gods",
      tags: ["Open World", "Adventure"],
    },
    { text: "elven ruins, potions and a party of outcasts", tags: ["Open World", "Adventure"] },
  ],
  real: [
    { text: "manage a football club, sign players and win the league", tags: ["Sports"] },
    { text: "score goals with rocket-powered vehicles", tags: ["Sports", "Racing"] },
    { text: "jump and run through hand-made levels", tags: ["Platformer", "PUZZLE-PLATFORMER"] },
    { text: "martial arts duels one on one with combos and a big roster", tags: ["Fighting"] },
    {
      text: "fly my own ship among the stars and trade between stations",
      tags: ["Space Sim", "SPACE", "SPACE SIMULATION", "SCI-FI"],
    },
    { text: "question witnesses and look for clues as Sherlock Holmes", tags: ["Investigation"] },
    { text: "something that makes me laugh out loud", tags: ["Comedy"] },
    { text: "last one standing wins as the circle closes in", tags: ["Battle Royale"] },
    {
      text: "command squads one after the other on a grid, like chess with aliens",
      tags: ["Turn-Based", "Turn-Based Strategy", "TURN-BASED COMBAT", "Tactical"],
    },
    { text: "drive tractors and harvest fields", tags: ["Simulation"] },
    {
      text: "rule a tropical banana republic as its dictator",
      tags: ["Simulation", "City Builder", "Strategy"],
    },
    {
      text: "wander alone through strange landscapes and find out what happened",
      tags: ["Exploration", "Adventure"],
    },
    { text: "quiz questions to answer with friends", tags: ["Trivia", "Party"] },
    { text: "bridges, ragdolls and things that fall over", tags: ["Physics"] },
    {
      text: "explore caverns and come back with new abilities to open closed doors",
      tags: ["Metroidvania"],
    },
    { text: "loot, demons, ever better gear", tags: ["Action RPG", "RPG", "HACK AND SLASH"] },
    { text: "a huge map full of side missions and gangsters", tags: ["Open World"] },
    { text: "kingdoms, armies and diplomacy in the middle ages", tags: ["Strategy", "4X"] },
    { text: "duel with spells and be the last mage alive", tags: ["Battle Royale"] },
    { text: "theme parks and roller coasters to design", tags: ["Simulation", "Casual"] },
    { text: "robots in huge suits of armour slug it out", tags: ["MECHS", "Shooter", "Action"] },
    {
      text: "a ship, a crew and a whole galaxy to discover",
      tags: ["Space Sim", "SPACE", "SPACE SIMULATION", "Exploration", "SCI-FI"],
    },
  ],
  likeTitle: [
    "I have finished {title}, what is there of the same kind",
    "my brother loved {title} and wants more",
    "recommend me one in the manner of {title} please",
  ],
  byMaker: [
    "what did {maker} do before",
    "has {maker} got anything for my children",
    "show me the catalogue of {maker}",
  ],
  madeAndMeant: [
    { text: "I want to be a mayor again, in a game of {maker}", tag: "City Builder" },
    { text: "did {maker} ever make anything under the sea?", tag: "Exploration" },
    { text: "{maker} and guns", tag: "Shooter" },
    { text: "dancing and singing together, {maker} had one", tag: "Party" },
    { text: "jumping about in a toy town, it was from {maker}", tag: "Platformer" },
    { text: "brain teasers by the folks of {maker}", tag: "Puzzle" },
    { text: "the ball games that {maker} has done", tag: "Sports" },
    { text: "dungeons with curses and relics, published by {maker}", tag: "Roguelike" },
  ],
};
