import type { Exchange } from "../http/exchange.ts";
import { Representations } from "../http/representations.ts";
import type { Target } from "../http/target.ts";
import { sendPageFile } from "./page-file.ts";

/** A name, and a size in pixels where the picture has one: `0a1b.svg`, `0a1b-1200x1600.svg`. */
const fileName = /^([\w-]{1,64}?)(?:-([1-9]\d{0,3})x([1-9]\d{0,3}))?\.svg$/;

/**
 * Responds to `/art/{name}.svg` with a picture that is drawn from the name: the sample catalogue refers to them, and the
 * explorer shows them for offers without a picture.
 *
 * @returns whether the request is for such a picture
 */
export function respondWithArt(
  exchange: Exchange,
  { segments }: Target,
  headers: readonly string[],
): boolean {
  const [folder, file = "", ...rest] = segments;
  const [, name, width, height] = fileName.exec(file) ?? [];
  if (folder !== "art" || name === undefined || rest.length > 0) return false;
  exchange.operation = "art";
  const size = width && height ? { width: Number(width), height: Number(height) } : undefined;
  const shared = ["Cache-Control", "public, max-age=86400", "Vary", "Accept-Encoding"];
  const body = Buffer.from(coverArt(name, size));
  const picture = new Representations(body, { shared, contentType: "image/svg+xml" });
  sendPageFile(exchange, Promise.resolve(picture), headers, "default-src 'none'");
  return true;
}

/** A ground and three colours that go with it and with each other. */
type Palette = readonly [ground: string, first: string, second: string, third: string];

const palettes: readonly Palette[] = [
  ["#14213d", "#fca311", "#e5e5e5", "#c8553d"],
  ["#0b3d3a", "#f2c14e", "#f78154", "#fdf0d5"],
  ["#2b2d42", "#ef233c", "#edf2f4", "#8d99ae"],
  ["#3d2645", "#da4167", "#f0c987", "#832161"],
  ["#10403b", "#de6449", "#f7f0d5", "#8aa29e"],
  ["#1d3557", "#e63946", "#a8dadc", "#457b9d"],
  ["#233d4d", "#fe7f2d", "#fcca46", "#a1c181"],
  ["#3b2314", "#e0a458", "#ffe6a7", "#99582a"],
  ["#22223b", "#c9ada7", "#f2e9e4", "#9a6d8a"],
  ["#00424d", "#ee9b00", "#e9d8a6", "#0a9396"],
  ["#f2e8d5", "#d1495b", "#00798c", "#edae49"],
  ["#dfe7e2", "#1b4332", "#e76f51", "#40916c"],
];

type Motif = (dice: Dice, palette: Palette) => string;

const motifs: readonly Motif[] = [ridges, rings, tiles, bands, waves, arches, orbit, skyline];

/**
 * A poster as SVG: few shapes, few colours, always the same for the same name. It replaces a missing offer picture.
 *
 * @param size in pixels; default 300 by 400. The poster is cropped to that ratio.
 */
function coverArt(name: string, size = { width: 300, height: 400 }): string {
  const dice = createDice(name);
  const palette = dice.pick(palettes);
  const drawing = dice.pick(motifs)(dice, palette);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"\
 viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice">\
<rect width="300" height="400" fill="${palette[0]}"/>${drawing}</svg>`;
}

function circle(cx: number, cy: number, r: number, fill: string): string {
  return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"/>`;
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
}

function path(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`;
}

/** Joins what is drawn for 0 to `count` - 1. */
function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

function ridges(dice: Dice, [, sun, far, near]: Palette): string {
  const ridge = (fill: string, y: number, rise: number) => {
    const peaks = repeat(6, (n) => `L${n * 60} ${y - dice.from(0, rise)}`);
    return path(`M0 400${peaks}L300 400z`, fill);
  };
  const disc = circle(dice.from(80, 220), dice.from(110, 190), dice.from(45, 80), sun);
  return disc + ridge(far, 250, 70) + ridge(near, 300, 60) + ridge(sun, 355, 35);
}

function rings(dice: Dice, [ground, ...colours]: Palette): string {
  const [cx, cy, width] = [dice.from(0, 300), dice.from(60, 340), dice.from(24, 40)];
  return repeat(8, (n) =>
    circle(cx, cy, (8 - n) * width, n % 2 === 0 ? ground : cycled(colours, n)),
  );
}

function tiles(dice: Dice, palette: Palette): string {
  const turns = [
    "h100a100 100 0 0 1-100 100z",
    "m100 0v100a100 100 0 0 1-100-100z",
    "m100 100h-100a100 100 0 0 1 100-100z",
    "m0 100v-100a100 100 0 0 1 100 100z",
  ];
  return repeat(12, (n) => {
    const [x, y] = [(n % 3) * 100, Math.floor(n / 3) * 100];
    const ground = rect(x, y, 100, 100, dice.pick(palette));
    return ground + path(`M${x} ${y}${dice.pick(turns)}`, dice.pick(palette));
  });
}

function bands(dice: Dice, [ground, ...colours]: Palette): string {
  const [tilt, height] = [dice.from(-50, 50), dice.from(26, 46)];
  const drawn = repeat(9, (n) => {
    const fill = n % 4 === 3 ? ground : cycled(colours, n);
    return rect(-200, dice.from(-4, 4) + n * height + 40, 700, height * 0.62, fill);
  });
  return `<g transform="rotate(${tilt} 150 200)">${drawn}</g>`;
}

function waves(dice: Dice, [, ...colours]: Palette): string {
  return repeat(5, (n) => {
    const swell = dice.from(12, 42);
    return path(`M0 ${110 + n * 60}q75 ${-swell} 150 0t150 0V400H0z`, cycled(colours, n));
  });
}

function arches(dice: Dice, [ground, ...colours]: Palette): string {
  const cx = dice.from(90, 210);
  const arch = (n: number) => {
    const [r, rise] = [n * 32, 80 + n * 20];
    const d = `M${cx - r} 400v${-rise}a${r} ${r} 0 0 1 ${r * 2} 0v${rise}z`;
    return path(d, n === 1 ? ground : cycled(colours, n));
  };
  const disc = circle(dice.from(40, 260), 70, dice.from(18, 36), colours[1]);
  return disc + repeat(5, (n) => arch(5 - n));
}

function orbit(dice: Dice, [, planet, line, moon]: Palette): string {
  const turn = dice.from(-40, 40);
  const stars = repeat(18, () =>
    circle(dice.from(0, 300), dice.from(0, 400), dice.from(1, 3), line),
  );
  const disc = circle(150, 200, dice.from(62, 92), planet);
  const ellipse = `<ellipse cx="150" cy="200" rx="140" ry="${dice.from(28, 60)}" fill="none" stroke="${line}" stroke-width="5"/>`;
  return `${stars}${disc}<g transform="rotate(${turn} 150 200)">${ellipse}${circle(290, 200, 16, moon)}</g>`;
}

function skyline(dice: Dice, [, ...colours]: Palette): string {
  const disc = circle(dice.from(60, 240), dice.from(80, 140), dice.from(30, 60), colours[0]);
  const houses = repeat(10, (n) => {
    const height = dice.from(70, 240);
    return rect(n * 30, 400 - height, 30, height, dice.pick(colours));
  });
  return disc + houses;
}

function cycled(colours: readonly [string, string, string], index: number): string {
  return colours[index % 3] ?? colours[0];
}

/** Choices that look like chance and are always the same for the same text. */
interface Dice {
  /** A whole number from `least` to `most`. */
  from: (least: number, most: number) => number;
  pick: <Value>(values: readonly Value[]) => Value;
}

/** Makes dice from a text: mulberry32 seeded by FNV-1a. */
function createDice(text: string): Dice {
  let state = 0x811c9dc5;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    from: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
}
