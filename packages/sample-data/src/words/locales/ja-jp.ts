import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const jaJP: Locale = {
  locale: "ja-JP",
  genres: {
    survivalHorror: "サバイバルホラーゲーム",
    spaceSimulation: "宇宙シミュレーションゲーム",
    cityBuilder: "都市建設ゲーム",
    farming: "農場生活ゲーム",
    racing: "レースゲーム",
    rolePlaying: "ファンタジーRPG",
    roguelike: "ローグライクゲーム",
    puzzle: "パズルゲーム",
    detective: "推理アドベンチャーゲーム",
    strategy: "ターン制ストラテジーゲーム",
    platformer: "プラットフォームゲーム",
    shooter: "一人称シューティングゲーム",
    sports: "スポーツゲーム",
    exploration: "海底探検ゲーム",
    partyRhythm: "音楽パーティーゲーム",
  },
  descriptions: phrases(`
    『{title}』は驚きに満ちた{genre}です。
    長い夜に遊びたい{genre}、『{title}』。
    一度始めたら止まらない{genre}『{title}』が登場。
  `),
  sentences: phrases(`
    すべての選択に結果が伴います。
    一人でも友達とでも遊べます。
    難易度は数段階、日本語に完全対応。
    音楽はオーケストラによる録音です。
  `),
  titleStarts: ["終わらない", "静かな", "忘れられた", "眠れる", "最後の", "紙の", "星降る", "霧の"],
  titleEnds: ["灯台", "村", "図書館", "機関車", "海辺", "庭", "約束", "迷宮", "航海"],
  tags: {
    "Single Player": "シングルプレイ",
    Multiplayer: "マルチプレイ",
    Puzzle: "パズル",
    Strategy: "ストラテジー",
    Horror: "ホラー",
    Adventure: "アドベンチャー",
    Racing: "レース",
    Action: "アクション",
  },
};
