import { phrases, words } from "./list.ts";

/** Titles by what the reviewer thinks. */
export const reviewTitles = {
  good: phrases(`
    One of the best this year
    Could not put it down
    Lovely from start to finish
    Worth every coin
    A small masterpiece
    Exactly what I was looking for
    Surprised me!
  `),
  mixed: phrases(`
    Good, with rough edges
    Wait for a sale
    Almost great
    Fine for a weekend
    I wanted to love it
  `),
  bad: phrases(`
    Not for me
    Feels unfinished
    Refunded after an hour
    Disappointing
    Please fix this
  `),
};

/** Sentences that fit any game. */
export const reviewRemarks = {
  good: phrases(`
    Runs smoothly on my old machine.
    The soundtrack stays in my head.
    Fair price for what you get.
    The developers answer every report.
    I have recommended it to all my friends.
    Twenty hours and not bored for one of them.
  `),
  mixed: phrases(`
    It is fun when it works.
    Some parts shine, others feel rushed.
    Controls take a while to get used to.
    A patch or two would make it easy to recommend.
  `),
  bad: phrases(`
    It crashed three times on the first evening.
    The trailer promises more than the game has.
    Too expensive for so little content.
    The text is too small to read on a television.
    Progress was lost after the update.
  `),
};

/** Aspects a review is about. */
export const reviewAspects = words(
  "gameplay story graphics music price performance controls multiplayer difficulty",
);

/** Beginnings of players' names. */
export const playerAdjectives = words(`
  Sleepy Flinty Crimson Quiet Turbo Lucky Frozen Rusty Gentle Hasty Cosmic Salty Fuzzy Noble Wicked
  Tiny Mellow Brave Spicy Lunar
`);

/** Endings of players' names. */
export const playerNouns = words(`
  Otter Badger Kettle Wizard Lantern Moth Pickle Falcon Toad Biscuit Comet Ferret Spoon Heron Walrus
  Noodle Goblin Magpie Turnip Yak
`);
