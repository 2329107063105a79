import type { Genre } from "../genre.ts";
import { phrases, words } from "../list.ts";

export const puzzle: Genre = {
  key: "puzzle",
  name: "puzzle",
  tags: ["Puzzle", "Casual", "Indie", "Logic", "Minimalist", "Relaxing"],
  minimumAge: 0,
  adjectives: words(`
    Folded Mirrored Tangled Recursive Tilted Quiet Hidden Paper Clockwork Seventh
    Interlocking Sideways
  `),
  nouns: words(`
    Cipher Tessellation Knot Lattice Prism Hinge Riddle Pattern Origami Sundial Jigsaw
    Paradox Thread Cabinet
  `),
  moods: words("mind-bending elegant meditative clever tactile"),
  heroes: phrases(`
    a curious cartographer
    a small robot with one arm
    the apprentice of a clockmaker
    a paper crane
    a librarian of impossible books
  `),
  goals: phrases(`
    fold rooms into one another
    bend light through coloured glass
    rewind one object at a time
    decode a language without a dictionary
    lead three marbles home at once
    connect every thread without a crossing
  `),
  places: phrases(`
    in a museum of locked boxes
    across floating stone gardens
    inside a grandfather clock
    in a house drawn on a single sheet
    on islands joined by shadows
    in a gallery that hangs upside down
  `),
  threats: phrases(`
    each new rule breaks an old one
    gravity takes turns with you
    the answers are hidden in plain sight
    the walls move when nobody looks
    only a handful of moves remain
  `),
  features: phrases(`
    A hundred and twenty hand-made logic puzzles, none of them filler
    No text, no timer, no score: only you and the idea
    A hint system that asks questions instead of giving answers
    An editor for puzzles of your own
    Playable with one hand, one button or by touch
    Colour-blind patterns throughout
  `),
  addOns: phrases(`
    The Clockmaker's Drawer
    Thirty More Knots
    Glass Garden
    Paper Menagerie
    Impossible Wing
    The Quiet Hints
  `),
  currency: "Insight Beads",
  praise: phrases(`
    Every puzzle is one clever idea, and I felt like a genius.
    Calm music, beautiful logic, no pressure at all.
    My partner and I solved it together over a week of evenings.
  `),
  complaints: phrases(`
    The last chapter is pure trial and error.
    Beautiful puzzles, but it was over in two hours.
    Some solutions depend on spotting a single pixel.
  `),
};
