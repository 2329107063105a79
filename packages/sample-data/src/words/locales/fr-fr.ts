import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const frFR: Locale = {
  locale: "fr-FR",
  genres: {
    survivalHorror: "jeu d’horreur et de survie",
    spaceSimulation: "jeu de simulation spatiale",
    cityBuilder: "jeu de construction de villes",
    farming: "jeu de ferme",
    racing: "jeu de course",
    rolePlaying: "jeu de rôle fantastique",
    roguelike: "jeu de type roguelike",
    puzzle: "jeu de réflexion",
    detective: "jeu d’enquête",
    strategy: "jeu de stratégie au tour par tour",
    platformer: "jeu de plateformes",
    shooter: "jeu de tir à la première personne",
    sports: "jeu de sport",
    exploration: "jeu d’exploration sous-marine",
    partyRhythm: "jeu musical et festif",
  },
  descriptions: phrases(`
    {title} est un {genre} plein de surprises.
    Un {genre} pour les longues soirées : {title}.
    Avec {title}, découvrez un {genre} que l’on ne lâche plus.
  `),
  sentences: phrases(`
    Chaque choix a ses conséquences.
    Jouable seul ou entre amis.
    Plusieurs niveaux de difficulté et textes entièrement en français.
    La bande-son a été enregistrée avec un orchestre.
  `),
  titleStarts: [],
  titleEnds: [],
  tags: {
    "Single Player": "Solo",
    Multiplayer: "Multijoueur",
    Puzzle: "Réflexion",
    Strategy: "Stratégie",
    Horror: "Horreur",
    Adventure: "Aventure",
    Racing: "Course",
    Action: "Action",
  },
};
