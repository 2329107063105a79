import type { GrowthFigures } from "./measure-growth.ts";

const [width, height] = [920, 460];
const margin = { left: 60, right: 330, top: 30, bottom: 50 };
const colours = [
  "#1b6ca8",
  "#d1495b",
  "#3a7d44",
  "#8e5ea2",
  "#e08e0b",
  "#00798c",
  "#7f4f24",
  "#444444",
  "#c2185b",
  "#5c6bc0",
  "#9e9d24",
];

/** An SVG of the median of each read, alone, by the number of offers; both axes are logarithmic. */
export function plotGrowth(all: readonly GrowthFigures[]): string {
  const sizes = all.map(({ offers }) => offers);
  const medians = all.flatMap(({ reads }) => reads.map(({ alone }) => alone.p50Ms));
  const x = axis(sizes, margin.left, width - margin.right);
  const y = axis(medians, height - margin.bottom, margin.top);
  const names = all[0]?.reads.map(({ name }) => name) ?? [];
  const lines = names.map((name, index) => {
    const points = all.flatMap(({ offers, reads }) => {
      const read = reads.find((each) => each.name === name);
      return read === undefined
        ? []
        : [`${x(offers).toFixed(1)},${y(read.alone.p50Ms).toFixed(1)}`];
    });
    const colour = colours[index % colours.length];
    const at = margin.top + 10 + index * 22;
    const left = width - margin.right + 20;
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(" ")}"/>
${points.map((point) => `<circle cx="${point.split(",")[0]}" cy="${point.split(",")[1]}" r="3" fill="${colour}"/>`).join("")}
<rect x="${left}" y="${at - 8}" width="14" height="4" fill="${colour}"/>
<text x="${left + 20}" y="${at}">${name}</text>`;
  });
  const bottom = height - margin.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="white"/>
<text x="${margin.left}" y="18">Median of a read, ms, one at a time, by offers</text>
${decadesIn(medians)
  .map(
    (ms) =>
      rule(margin.left, y(ms), width - margin.right, y(ms)) +
      label(margin.left - 8, y(ms) + 4, String(ms), "end"),
  )
  .join("\n")}
${sizes
  .map(
    (size) =>
      rule(x(size), margin.top, x(size), bottom) +
      label(x(size), bottom + 20, size.toLocaleString("en"), "middle"),
  )
  .join("\n")}
${lines.join("\n")}
</svg>
`;
}

/** Maps values to positions between two ends by their logarithm. */
function axis(values: readonly number[], from: number, to: number): (value: number) => number {
  const logs = values.map(Math.log10);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return (value) => from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from);
}

function decadesIn(values: readonly number[]): number[] {
  const first = Math.ceil(Math.log10(Math.min(...values)));
  const last = Math.floor(Math.log10(Math.max(...values)));
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, n) => 10 ** (first + n));
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#dddddd"/>`;
}

function label(x: number, y: number, text: string, anchor: "end" | "middle"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;
}
