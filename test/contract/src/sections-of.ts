/** A part of a document below a heading, without its blocks of code. */
export interface Section {
  readonly title: string;
  readonly text: string;
  /** The texts in backticks. */
  readonly code: ReadonlySet<string>;
  /** Anchors that it links to, in this document or another one. */
  readonly links: readonly string[];
}

/**
 * The parts of a document below its headings of a level; each ends at the next heading of that level or
 * a higher one.
 */
export function sectionsOf(document: string, level: number): Section[] {
  const heading = new RegExp(`^#{1,${level}} `, "m");
  const own = `${"#".repeat(level)} `;
  const prose = document.replaceAll(/^```[^]*?^```$/gm, "");
  return cutBefore(prose, heading)
    .filter((part) => part.startsWith(own))
    .map((part) => {
      const [first = "", ...rest] = part.split("\n");
      const text = rest.join("\n").trim();
      return {
        title: first.slice(own.length).trim(),
        text,
        code: new Set([...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "")),
        links: [...text.matchAll(/\]\([\w./-]*#([^)]+)\)/g)].map((match) => match[1] ?? ""),
      };
    });
}

function cutBefore(text: string, pattern: RegExp): string[] {
  return text.split(new RegExp(`(?=${pattern.source})`, "m"));
}
