import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const sports: Genre = {
  key: "sports",
  name: "sports",
  tags: ["Sports", "Simulation", "Competitive", "Local Multiplayer", "Team-Based", "Management"],
  minimumAge: 0,
  adjectives: words(`
    Golden Sudden-Death Underdog Hometown Extra-Time Roaring Northside Barefoot Championship
    Overtime Muddy Unbeaten
  `),
  nouns: words(`
    Penalty Trophy Stadium Scoreboard Sideline Dugout Whistle Tackle Derby Serve Rebound
    Roster Freekick Crossbar
  `),
  moods: words("fast-paced competitive accessible spirited dramatic"),
  heroes: phrases(`
    the coach of a village club
    a goalkeeper in her last season
    a young striker with cold feet
    the manager of a bankrupt team
    a volleyball captain
  `),
  goals: phrases(`
    win promotion with eleven amateurs
    sign, train and bench your stars
    score from impossible angles
    lead your club from the mud to the cup final
    master football, handball and table tennis
    survive a season on the smallest budget
  `),
  places: phrases(`
    in stadiums that sing back
    on muddy pitches and polished courts
    in a league of twenty stubborn clubs
    at the island summer games
    on the beach, in the gym and under floodlights
    in a knockout cup with no second chances
  `),
  threats: phrases(`
    the press wants your head after two defeats
    the derby is on Sunday
    your best player has a better offer
    the referee has seen everything
    injuries pile up before the final
  `),
  features: phrases(`
    Ball physics without scripts: every deflection is real
    Career mode from youth team to national squad
    Sofa tournaments for up to eight players
    Transfers, tactics and half-time talks
    Commentary that remembers last season
    Make your own club, kit, anthem and rivals
  `),
  addOns: phrases(`
    Classic Kits
    Island Games
    Youth Academy
    Legends of the Cup
    Goal Celebration Set
    Winter League
  `),
  currency: "Match Points",
  praise: phrases(`
    The ball physics are superb and every goal feels earned.
    Best sofa tournament game we own, the whole family shouts.
    Career mode finally has youth players that matter.
  `),
  complaints: phrases(`
    Same as last season with new shirts.
    Goalkeepers sleep through the second half.
    Menus between matches take longer than the match.
  `),
};
