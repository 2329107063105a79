import { readdirSync } from "node:fs";
import { join } from "node:path";

/** One link of a document. */
export interface MarkdownLink {
  /** Where it leads, as written. */
  readonly target: string;
  /** Counted from 1. */
  readonly line: number;
}

const fence = /^\s*(?:```|~~~)/;
const inlineCode = /(`+).*?\1/g;
const inlineLink = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const definition = /^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/;
const heading = /^#{1,6}\s+(.*?)\s*#*$/;
const explicitAnchor = /<[^>]*\s(?:id|name)="([^"]+)"/g;

/** Links and images of a text, without those in code. */
export function linksOf(text: string): MarkdownLink[] {
  return linesOutsideFences(text).flatMap(({ content, line }) => {
    const prose = content.replace(inlineCode, (code) => "`".repeat(code.length));
    const targets = [...prose.matchAll(inlineLink)].map((match) => match[1] ?? "");
    const defined = definition.exec(prose)?.[1];
    return [...targets, ...(defined === undefined ? [] : [defined])].map((target) => ({
      target,
      line,
    }));
  });
}

/** What may follow `#` in a link to a text: its headings, by the rule of GitHub, and its own anchors. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { content } of linesOutsideFences(text)) {
    const title = heading.exec(content)?.[1];
    if (title !== undefined) anchors.add(unused(slugOf(title), anchors));
    for (const match of content.matchAll(explicitAnchor)) anchors.add(match[1] ?? "");
  }
  return anchors;
}

/** The documents below a folder, without those of installed packages and of builds. */
export function markdownFilesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return entry.name.endsWith(".md") ? [path] : [];
    const isOurs = !entry.name.startsWith(".") && !["node_modules", "dist"].includes(entry.name);
    return isOurs ? markdownFilesBelow(path) : [];
  });
}

function linesOutsideFences(text: string): { content: string; line: number }[] {
  let isCode = false;
  return text.split("\n").flatMap((content, index) => {
    const isFence = fence.test(content);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? [] : [{ content, line: index + 1 }];
  });
}

function slugOf(title: string): string {
  return title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function unused(slug: string, taken: ReadonlySet<string>): string {
  let count = 0;
  while (taken.has(count === 0 ? slug : `${slug}-${count}`)) count++;
  return count === 0 ? slug : `${slug}-${count}`;
}
