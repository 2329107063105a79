import { words } from "./list.ts";

/** Beginnings of invented place and family names. */
export const nameOnsets = words(`
  Ald Bre Cor Dun Eld Fen Gal Hax Ist Jor Kel Lor Mar Nev Ost Pel Quar Ras Sel Tor Ulm Vel Wyn Yar
  Zan Brin Cald Dro Esk Fal Gris Hol Ilm Kar Lun Mer Nor Oph Pren Ruv
`);

/** Middles; the empty one makes short names. */
export const nameMiddles = ["", "a", "o", "i", "e", "an", "or", "il", "em", "ur", "ev", "as", "in"];

/** Endings of invented place and family names. */
export const nameEndings = words(`
  mere dra vik stad loch wen thas rick mond sea fell garde holm nova reth tide quay moor vane brook
  zar mont ria leth dorn shire wick garth fjord plaza
`);

/** First words of studio names. */
export const studioWords = words(`
  Brindlevane Copperwhistle Dapplemoth Eggshell Fernwhistle Gloamkettle Halfpenny Inkwarbler Jamjar
  Kestrelpot Lanternshed Mugwort Nettleship Oddsock Pumicestone Quillback Rookpudding Saltcrumb
  Tinderbarrel Umberlamp Velvetspanner Wobblecrate Yarnhollow Zincfeather Biscuitmoon Cloudferry
  Doormouse Elmcartridge Frostpickle Gravelpie Hatstand Icewagon Jugglerhat Knucklewood Lintpocket
  Mossbucket Nutmegrail Otterbridge Plumthunder Rainkettle
`);

/** Second words of studio names. */
export const studioSuffixes = [
  "Workshop",
  "Games",
  "Interactive",
  "Studio",
  "& Daughters",
  "Collective",
  "Software",
  "Playworks",
  "Entertainment",
  "Lab",
];

/** What publishers call themselves; "{name}" is an invented name. */
export const publisherPatterns = [
  "{name} Publishing",
  "{name} Digital",
  "House of {name}",
  "{name} Entertainment, Inc.",
  "{name} Games GmbH",
  "{name} S.A.",
  "{name} & Co.",
  "Studio {name} Ltd.",
];
