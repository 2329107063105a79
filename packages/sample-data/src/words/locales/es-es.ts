import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const esES: Locale = {
  locale: "es-ES",
  genres: {
    survivalHorror: "juego de terror y supervivencia",
    spaceSimulation: "juego de simulación espacial",
    cityBuilder: "juego de construcción de ciudades",
    farming: "juego de granja",
    racing: "juego de carreras",
    rolePlaying: "juego de rol fantástico",
    roguelike: "juego de mazmorras aleatorias",
    puzzle: "juego de puzles",
    detective: "juego de detectives",
    strategy: "juego de estrategia por turnos",
    platformer: "juego de plataformas",
    shooter: "juego de disparos en primera persona",
    sports: "juego deportivo",
    exploration: "juego de exploración submarina",
    partyRhythm: "juego musical y de fiesta",
  },
  descriptions: phrases(`
    {title} es un {genre} lleno de sorpresas.
    Un {genre} para noches largas: {title}.
    ¿Te atreves con {title}, un {genre} que no se olvida?
  `),
  sentences: phrases(`
    Cada decisión tiene consecuencias.
    Se puede jugar a solas o con amigos.
    Varios niveles de dificultad y textos en español.
    La banda sonora se grabó con orquesta.
  `),
  titleStarts: [],
  titleEnds: [],
  tags: {
    "Single Player": "Un jugador",
    Multiplayer: "Multijugador",
    Puzzle: "Puzles",
    Strategy: "Estrategia",
    Horror: "Terror",
    Adventure: "Aventura",
    Racing: "Carreras",
    Action: "Acción",
  },
};
