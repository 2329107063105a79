import type { Random } from "./random.ts";
import { at } from "./random.ts";
import { expand, withArticles } from "./words/expand.ts";
import type { Genre } from "./words/genre.ts";
import { titleLocales } from "./words/locales.ts";
import { nameEndings, nameMiddles, nameOnsets } from "./words/names.ts";

/**
 * Patterns of titles, with the punctuation that real ones have. Early ones are the most frequent;
 * they hold a name, so that a million offers remain varied.
 */
const patterns = [
  "{name}: {adjective} {noun}",
  "The {noun} of {name}",
  "{adjective} {noun} of {name}",
  "{adjective} {noun}",
  "{name}'s {noun}",
  "{name} – The {noun}",
  "{noun} & {other}",
  "{name}",
  "The {adjective} {noun}",
  "{noun}, {noun}, {other}!",
  "Who Hid the {noun}?",
  "{adjective} {noun}: {name}",
  "{adjective}/{noun}",
  "A {noun} Called {name}",
  "Dr. {name} vs. the {noun}",
  "{noun}.exe",
  '"{adjective} {noun}"',
  "{name} #{number}",
  "Don't Touch the {noun}",
  "Café {name}",
];

const numerals = [" II", " 2", " III", " Zero", " – Remastered", " (Early Access)"];

/** An invented name, about 15,000 different ones. */
export function inventName(random: Random): string {
  return random.pick(nameOnsets) + random.pick(nameMiddles) + random.pick(nameEndings);
}

/** The title of a game: mostly Latin letters, sometimes Chinese, Cyrillic, Japanese or Korean. */
export function inventTitle(random: Random, genre: Genre): string {
  if (random.chance(0.05)) {
    const { titleStarts, titleEnds } = random.pick(titleLocales);
    const title = random.pick(titleStarts) + random.pick(titleEnds);
    return random.chance(0.5) ? `${title} ${inventName(random)}` : title;
  }
  const [first, other] = random.pickMany(genre.nouns, 2);
  const expanded = expand(random.pickEarly(patterns), {
    adjective: random.pick(genre.adjectives),
    noun: first ?? at(genre.nouns, 0),
    other: other ?? at(genre.nouns, 1),
    name: inventName(random),
    number: String(random.integer(2, 99)),
  });
  const title = withArticles(expanded);
  return random.chance(0.12) ? title + random.pick(numerals) : title;
}
