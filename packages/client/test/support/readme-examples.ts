import { readFileSync } from "node:fs";

/** The examples of the README in a language, in order: `ts` runs alone, `tsx` is for React. */
export function readmeExamples(language: "ts" | "tsx"): string[] {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const examples = text.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...examples].flatMap(([, name, code = ""]) => (name === language ? [code] : []));
}
