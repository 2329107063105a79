import { lexer, parser, Renderer } from "marked";
import type { Tokens } from "marked";

/** A heading with the text below it, for the navigation and the search. */
export interface GuideSection {
  readonly title: string;
  /** 1 is the guide's own title. */
  readonly depth: number;
  readonly anchor: string;
  /** Without markup. */
  readonly text: string;
}

export interface GuideHtml {
  readonly html: string;
  readonly sections: readonly GuideSection[];
}

/**
 * Renders a guide.
 *
 * @param pathOf the address of another guide, by the name of its file; of a file that is not served, undefined: the
 *   link becomes plain text
 */
export function guideHtml(
  markdown: string,
  pathOf: (file: string) => string | undefined,
): GuideHtml {
  const tokens = lexer(markdown);
  const sections: (GuideSection & { text: string })[] = [];
  for (const token of tokens) {
    if (token.type === "heading") {
      const { text, depth } = token as Tokens.Heading;
      const title = plain(text);
      const taken = sections.map(({ anchor }) => anchor);
      sections.push({ title, depth, anchor: unused(slugOf(title), taken), text: "" });
    } else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${plain(token.raw)} `;
    }
  }
  const anchors = sections.map(({ anchor }) => anchor).values();
  const renderer = new GuideRenderer(anchors, pathOf);
  return { html: parser(tokens, { renderer }), sections };
}

class GuideRenderer extends Renderer {
  readonly #anchors: Iterator<string>;
  readonly #pathOf: (file: string) => string | undefined;

  constructor(anchors: Iterator<string>, pathOf: (file: string) => string | undefined) {
    super();
    this.#anchors = anchors;
    this.#pathOf = pathOf;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const text = this.parser.parseInline(tokens);
    return `<h${depth} id="${this.#anchors.next().value}">${text}</h${depth}>\n`;
  }

  override link(token: Tokens.Link): string {
    const [file = "", anchor] = token.href.split("#");
    if (file === "" || URL.canParse(file)) return super.link(token);
    const path = this.#pathOf(file);
    if (path === undefined) return this.parser.parseInline(token.tokens);
    return super.link({ ...token, href: anchor === undefined ? path : `${path}#${anchor}` });
  }

  // What scrolls sideways must be reachable by keyboard.
  override code(token: Tokens.Code): string {
    return super.code(token).replace("<pre>", '<pre tabindex="0">');
  }

  override table(token: Tokens.Table): string {
    return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
  }
}

function plain(markdown: string): string {
  return markdown
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`|*[\]]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** By the rule of GitHub, so that links lead to the same place there and here. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function unused(slug: string, taken: readonly string[]): string {
  let count = 0;
  while (taken.includes(count === 0 ? slug : `${slug}-${count}`)) count++;
  return count === 0 ? slug : `${slug}-${count}`;
}
