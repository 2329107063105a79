import { memo } from "react";

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

type Motif = (dice: Dice, palette: Palette) => React.ReactNode;

const motifs: readonly Motif[] = [ridges, rings, tiles, bands, waves, arches, orbit, skyline];

/** A poster made from an id: few shapes, few colours, always the same for the same id. */
export const CoverArt = memo(function CoverArt({ id }: { id: string }) {
  const dice = createDice(id);
  const palette = dice.pick(palettes);
  const motif = dice.pick(motifs);
  return (
    <svg
      className="cover__art"
      viewBox="0 0 300 400"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect width="300" height="400" fill={palette[0]} />
      {motif(dice, palette)}
    </svg>
  );
});

function ridges(dice: Dice, [, sun, far, near]: Palette) {
  const layers = [
    { fill: far, y: 250, rise: 70 },
    { fill: near, y: 300, rise: 60 },
    { fill: sun, y: 355, rise: 35 },
  ];
  return (
    <>
      <circle cx={dice.from(80, 220)} cy={dice.from(110, 190)} r={dice.from(45, 80)} fill={sun} />
      {layers.map(({ fill, y, rise }) => {
        const peaks = [0, 60, 120, 180, 240, 300].map((x) => `${x},${y - dice.from(0, rise)}`);
        return <polygon key={y} fill={fill} points={`0,400 ${peaks.join(" ")} 300,400`} />;
      })}
    </>
  );
}

function rings(dice: Dice, [ground, ...colours]: Palette) {
  const [cx, cy] = [dice.from(0, 300), dice.from(60, 340)];
  const width = dice.from(24, 40);
  return [8, 7, 6, 5, 4, 3, 2, 1].map((n) => (
    <circle key={n} cx={cx} cy={cy} r={n * width} fill={n % 2 === 0 ? ground : colours[n % 3]} />
  ));
}

function tiles(dice: Dice, palette: Palette) {
  const turns = [
    "M0 0h100a100 100 0 0 1-100 100z",
    "M100 0v100a100 100 0 0 1-100-100z",
    "M100 100h-100a100 100 0 0 1 100-100z",
    "M0 100v-100a100 100 0 0 1 100 100z",
  ];
  return Array.from({ length: 12 }, (_, n) => (
    <g key={n} transform={`translate(${(n % 3) * 100} ${Math.floor(n / 3) * 100})`}>
      <rect width="100" height="100" fill={dice.pick(palette)} />
      <path d={dice.pick(turns)} fill={dice.pick(palette)} />
    </g>
  ));
}

function bands(dice: Dice, [ground, ...colours]: Palette) {
  const tilt = dice.from(-50, 50);
  const height = dice.from(26, 46);
  return (
    <g transform={`rotate(${tilt} 150 200)`}>
      {Array.from({ length: 9 }, (_, n) => (
        <rect
          key={n}
          x="-200"
          y={dice.from(-4, 4) + n * height + 40}
          width="700"
          height={height * 0.62}
          fill={n % 4 === 3 ? ground : colours[n % 3]}
        />
      ))}
    </g>
  );
}

function waves(dice: Dice, [, ...colours]: Palette) {
  return [110, 170, 230, 290, 350].map((y, n) => {
    const swell = dice.from(12, 42);
    return <path key={y} fill={colours[n % 3]} d={`M0 ${y}q75 ${-swell} 150 0t150 0V400H0z`} />;
  });
}

function arches(dice: Dice, [ground, ...colours]: Palette) {
  const cx = dice.from(90, 210);
  return (
    <>
      <circle cx={dice.from(40, 260)} cy="70" r={dice.from(18, 36)} fill={colours[1]} />
      {[5, 4, 3, 2, 1].map((n) => (
        <path
          key={n}
          fill={n === 1 ? ground : colours[n % 3]}
          d={`M${cx - n * 32} 400v${-80 - n * 20}a${n * 32} ${n * 32} 0 0 1 ${n * 64} 0v${80 + n * 20}z`}
        />
      ))}
    </>
  );
}

function orbit(dice: Dice, [, planet, line, moon]: Palette) {
  const turn = dice.from(-40, 40);
  return (
    <>
      {Array.from({ length: 18 }, (_, n) => (
        <circle
          key={n}
          cx={dice.from(0, 300)}
          cy={dice.from(0, 400)}
          r={dice.from(1, 3)}
          fill={line}
        />
      ))}
      <circle cx="150" cy="200" r={dice.from(62, 92)} fill={planet} />
      <g transform={`rotate(${turn} 150 200)`} fill="none" stroke={line} strokeWidth="5">
        <ellipse cx="150" cy="200" rx="140" ry={dice.from(28, 60)} />
        <circle cx="290" cy="200" r="16" fill={moon} stroke="none" />
      </g>
    </>
  );
}

function skyline(dice: Dice, [, ...colours]: Palette) {
  return (
    <>
      <circle
        cx={dice.from(60, 240)}
        cy={dice.from(80, 140)}
        r={dice.from(30, 60)}
        fill={colours[0]}
      />
      {Array.from({ length: 10 }, (_, n) => {
        const height = dice.from(70, 240);
        return (
          <rect
            key={n}
            x={n * 30}
            y={400 - height}
            width="30"
            height={height}
            fill={dice.pick(colours)}
          />
        );
      })}
    </>
  );
}

/** Choices that look like chance and are always the same for the same text. */
interface Dice {
  /** A whole number from `least` to `most`. */
  from: (least: number, most: number) => number;
  pick: <Value>(values: readonly [Value, ...Value[]] | readonly Value[]) => Value;
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
