/** What somebody asks for, and what tells that an offer is meant. */
export interface MeaningQuery {
  readonly text: string;
  /** An offer with this tag is what was asked for; the text says it in other words. */
  readonly tag: string;
}

/** Queries in words that people use, not those of the tags. */
export const meaningQueries: readonly MeaningQuery[] = [
  { text: "look after goats and geese in a quiet valley", tag: "Farming" },
  { text: "grow pumpkins through the seasons and befriend the neighbours", tag: "Farming" },
  { text: "bake bread in a village and keep bees", tag: "Farming" },
  { text: "monsters in the dark of an abandoned hospital", tag: "Horror" },
  {
    text: "something nightmarish where the dead come back and I hardly dare to go on",
    tag: "Horror",
  },
  { text: "a nurse on her own with the lamp almost out until dawn", tag: "Horror" },
  { text: "command an army and besiege fortresses", tag: "Turn-Based Strategy" },
  { text: "a general who marches divisions and watches the supply lines", tag: "War" },
  { text: "forge alliances between empires and break them", tag: "Tactical" },
  { text: "fast cars on a hairpin at night", tag: "Racing" },
  { text: "win the season on worn tyres against a rival", tag: "Racing" },
  { text: "wizards, dragons and a long quest through a kingdom", tag: "RPG" },
  { text: "an oath, a crown and an old prophecy to fulfil", tag: "Fantasy" },
  { text: "guns and robots against a corporation", tag: "Shooter" },
  { text: "breach a hijacked carrier with your squad", tag: "FPS" },
  { text: "fly a freighter between stars and planets", tag: "Space" },
  { text: "a captain with a leaking ship in orbit who smuggles cargo", tag: "Sci-Fi" },
  { text: "dive to coral reefs and sunken wrecks", tag: "Underwater" },
  { text: "chart the abyss of the ocean in a small submarine", tag: "Exploration" },
  { text: "solve a murder and question the suspects", tag: "Detective" },
  { text: "clues, alibis and a case that nobody wants in a rainy town", tag: "Mystery" },
  { text: "lay out streets and keep the citizens happy as the mayor", tag: "City Builder" },
  { text: "bridges, canals and power for a growing town", tag: "City Builder" },
  { text: "mini-games and dancing with friends in the living room", tag: "Party" },
  { text: "hit the beat with a band and a bad DJ", tag: "Music" },
  { text: "jump over spikes as a tiny hero", tag: "Platformer" },
  { text: "bouncing and leaping upward to the top of a tower", tag: "Platformer" },
  { text: "brain teasers with mirrors, tiles and folded paper", tag: "Logic" },
  { text: "calm little riddles for a few minutes", tag: "Puzzle" },
  { text: "die, start over and go deeper with another curse each time", tag: "Roguelike" },
  { text: "descend floor by floor with random loot", tag: "Dungeon Crawler" },
  { text: "win the cup with underdogs", tag: "Team-Based" },
  { text: "coach a hometown club through extra time", tag: "Team-Based" },
];
