import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const ruRU: Locale = {
  locale: "ru-RU",
  genres: {
    survivalHorror: "хоррор на выживание",
    spaceSimulation: "космический симулятор",
    cityBuilder: "градостроительный симулятор",
    farming: "симулятор фермы",
    racing: "гоночный симулятор",
    rolePlaying: "фэнтезийная ролевая игра",
    roguelike: "рогалик",
    puzzle: "головоломка",
    detective: "детектив",
    strategy: "пошаговая стратегия",
    platformer: "платформер",
    shooter: "шутер от первого лица",
    sports: "спортивный симулятор",
    exploration: "подводное приключение",
    partyRhythm: "музыкальная игра для вечеринок",
  },
  descriptions: phrases(`
    {title} — {genre}, где много неожиданного.
    {genre} для долгих вечеров: {title}.
    {title}: {genre}, от которой трудно оторваться.
  `),
  sentences: phrases(`
    У каждого решения есть последствия.
    Играйте в одиночку или с друзьями.
    Несколько уровней сложности и полностью русские тексты.
    Музыка записана с оркестром.
  `),
  titleStarts: [
    "Тихий",
    "Последний",
    "Забытый",
    "Северный",
    "Ржавый",
    "Звёздный",
    "Бумажный",
    "Туманный",
  ],
  titleEnds: [
    " маяк",
    " берег",
    " механизм",
    " поезд",
    " архив",
    " шёпот",
    " сад",
    " рассвет",
    " капитан",
  ],
  tags: {
    "Single Player": "Одиночная игра",
    Multiplayer: "Многопользовательская",
    Puzzle: "Головоломка",
    Strategy: "Стратегия",
    Horror: "Ужасы",
    Adventure: "Приключение",
    Racing: "Гонки",
    Action: "Экшен",
  },
};
