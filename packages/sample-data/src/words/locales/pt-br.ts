import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const ptBR: Locale = {
  locale: "pt-BR",
  genres: {
    survivalHorror: "jogo de terror e sobrevivência",
    spaceSimulation: "jogo de simulação espacial",
    cityBuilder: "jogo de construção de cidades",
    farming: "jogo de fazenda",
    racing: "jogo de corrida",
    rolePlaying: "RPG de fantasia",
    roguelike: "jogo roguelike",
    puzzle: "jogo de quebra-cabeça",
    detective: "jogo de detetive",
    strategy: "jogo de estratégia por turnos",
    platformer: "jogo de plataforma",
    shooter: "jogo de tiro em primeira pessoa",
    sports: "jogo de esporte",
    exploration: "jogo de exploração submarina",
    partyRhythm: "jogo musical e de festa",
  },
  descriptions: phrases(`
    {title} é um {genre} cheio de surpresas.
    Um {genre} para noites longas: {title}.
    Conheça {title}, um {genre} difícil de largar.
  `),
  sentences: phrases(`
    Cada escolha tem consequências.
    Jogue sozinho ou com amigos.
    Vários níveis de dificuldade e textos em português.
    A trilha sonora foi gravada com orquestra.
  `),
  titleStarts: [],
  titleEnds: [],
  tags: {
    "Single Player": "Um jogador",
    Multiplayer: "Multijogador",
    Puzzle: "Quebra-cabeça",
    Strategy: "Estratégia",
    Horror: "Terror",
    Adventure: "Aventura",
    Racing: "Corrida",
    Action: "Ação",
  },
};
