import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const deDE: Locale = {
  locale: "de-DE",
  genres: {
    survivalHorror: "Survival-Horror-Spiel",
    spaceSimulation: "Weltraumsimulationsspiel",
    cityBuilder: "Städtebauspiel",
    farming: "Bauernhofspiel",
    racing: "Rennspiel",
    rolePlaying: "Fantasy-Rollenspiel",
    roguelike: "Roguelike-Spiel",
    puzzle: "Rätselspiel",
    detective: "Detektivspiel",
    strategy: "Rundenstrategiespiel",
    platformer: "Jump-and-run-Spiel",
    shooter: "Ego-Shooter-Spiel",
    sports: "Sportspiel",
    exploration: "Unterwasser-Erkundungsspiel",
    partyRhythm: "Partyspiel",
  },
  descriptions: phrases(`
    {title} ist ein {genre} voller Überraschungen.
    Ein {genre} für lange Abende: {title}.
    Mit {title} erscheint ein {genre}, das man nicht so schnell weglegt.
  `),
  sentences: phrases(`
    Jede Entscheidung hat Folgen.
    Allein oder mit Freunden spielbar.
    Mehrere Schwierigkeitsgrade und vollständige deutsche Texte.
    Der Soundtrack wurde mit einem Orchester eingespielt.
  `),
  titleStarts: [],
  titleEnds: [],
  tags: {
    "Single Player": "Einzelspieler",
    Multiplayer: "Mehrspieler",
    Puzzle: "Rätsel",
    Strategy: "Strategie",
    Horror: "Horror",
    Adventure: "Abenteuer",
    Racing: "Rennen",
    Action: "Action",
  },
};
