import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const zhHantTW: Locale = {
  locale: "zh-Hant-TW",
  genres: {
    survivalHorror: "生存恐怖遊戲",
    spaceSimulation: "太空模擬遊戲",
    cityBuilder: "城市建造遊戲",
    farming: "農場生活遊戲",
    racing: "賽車遊戲",
    rolePlaying: "奇幻角色扮演遊戲",
    roguelike: "類 Rogue 遊戲",
    puzzle: "益智遊戲",
    detective: "偵探冒險遊戲",
    strategy: "回合制策略遊戲",
    platformer: "平台跳躍遊戲",
    shooter: "第一人稱射擊遊戲",
    sports: "運動遊戲",
    exploration: "海底探索遊戲",
    partyRhythm: "音樂派對遊戲",
  },
  descriptions: phrases(`
    《{title}》是一款充滿驚喜的{genre}。
    適合漫長夜晚的{genre}:《{title}》。
    《{title}》,一款讓人停不下來的{genre}。
  `),
  sentences: phrases(`
    每個選擇都有後果。
    可以獨自遊玩,也可以和朋友一起。
    多種難度,完整繁體中文。
    配樂由管弦樂團錄製。
  `),
  titleStarts: ["寂靜", "遺忘", "最後的", "北境", "紙上", "星夜", "迷霧", "沉睡"],
  titleEnds: ["燈塔", "山村", "書庫", "列車", "海岸", "花園", "誓言", "迷城", "航路"],
  tags: {
    "Single Player": "單人",
    Multiplayer: "多人",
    Puzzle: "益智",
    Strategy: "策略",
    Horror: "恐怖",
    Adventure: "冒險",
    Racing: "賽車",
    Action: "動作",
  },
};
