import { readFileSync } from "node:fs";

/** The TypeScript examples of the README, in order. */
export function readmeExamples(): string[] {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}
