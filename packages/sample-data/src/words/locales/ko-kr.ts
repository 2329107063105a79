import { phrases } from "../list.ts";
import type { Locale } from "../locale.ts";

export const koKR: Locale = {
  locale: "ko-KR",
  genres: {
    survivalHorror: "서바이벌 호러 게임",
    spaceSimulation: "우주 시뮬레이션 게임",
    cityBuilder: "도시 건설 게임",
    farming: "농장 생활 게임",
    racing: "레이싱 게임",
    rolePlaying: "판타지 롤플레잉 게임",
    roguelike: "로그라이크 게임",
    puzzle: "퍼즐 게임",
    detective: "추리 어드벤처 게임",
    strategy: "턴제 전략 게임",
    platformer: "플랫폼 게임",
    shooter: "1인칭 슈팅 게임",
    sports: "스포츠 게임",
    exploration: "해저 탐험 게임",
    partyRhythm: "음악 파티 게임",
  },
  descriptions: phrases(`
    {title}: 놀라움으로 가득한 {genre}.
    긴 밤에 어울리는 {genre}, {title}.
    한번 시작하면 멈출 수 없는 {genre}, {title}.
  `),
  sentences: phrases(`
    모든 선택에는 결과가 따릅니다.
    혼자서도 친구와도 즐길 수 있습니다.
    여러 난이도와 완전한 한국어 지원.
    음악은 오케스트라가 녹음했습니다.
  `),
  titleStarts: ["고요한 ", "잊혀진 ", "마지막 ", "북쪽 ", "종이 ", "별빛 ", "안개 낀 ", "잠든 "],
  titleEnds: ["등대", "마을", "도서관", "열차", "해안", "정원", "약속", "미궁", "항해"],
  tags: {
    "Single Player": "싱글 플레이",
    Multiplayer: "멀티플레이",
    Puzzle: "퍼즐",
    Strategy: "전략",
    Horror: "호러",
    Adventure: "어드벤처",
    Racing: "레이싱",
    Action: "액션",
  },
};
