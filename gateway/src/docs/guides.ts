import { readFileSync } from "node:fs";
import { jsonType } from "../http/headers.ts";
import { guideHtml } from "./guide-html.ts";
import { guidePage, guidesPath, guidesScript } from "./guide-page.ts";
import type { Guide } from "./guide-page.ts";
import { guidesStyle } from "./guides-style.ts";

const htmlType = "text/html; charset=utf-8";
const cssType = "text/css; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";

const folder = new URL("../../../docs/api/", import.meta.url);

/** Files of the folder in the order of the navigation; the first is at `/docs/guides` itself. */
const files = [
  "README.md",
  "conventions.md",
  "offers.md",
  "prices.md",
  "search.md",
  "sync.md",
  "live.md",
  "errors.md",
  "webhooks.md",
  "agents.md",
  "grpc.md",
];

/** A text with its type. */
export interface GuideFile {
  readonly text: string;
  readonly type: string;
}

/**
 * The guides, which are the Markdown of `docs/api`, with what their pages load.
 *
 * @returns a function that renders the file at a path; undefined where there is none
 * @throws Error when a guide is missing
 */
export function createGuides(): (path: string) => GuideFile | undefined {
  const markdown = files.map((file) => readFileSync(new URL(file, folder), "utf8"));
  let rendered: readonly Guide[] | undefined;
  const guides = () => (rendered ??= markdown.map(render));

  return (path) => {
    if (path === `${guidesPath}/guides.css`) return { text: guidesStyle, type: cssType };
    if (path === `${guidesPath}/guides.js`) return { text: guidesScript, type: scriptType };
    if (path === `${guidesPath}/index.json`) return { text: indexOf(guides()), type: jsonType };
    const index = files.findIndex((file) => pathOf(file) === path);
    const guide = index === -1 ? undefined : guides()[index];
    return guide && { text: guidePage(guide, guides()), type: htmlType };
  };
}

function pathOf(file: string): string | undefined {
  if (!files.includes(file)) return undefined;
  return file === files[0] ? guidesPath : `${guidesPath}/${file.replace(/\.md$/, "")}`;
}

function render(markdown: string, index: number): Guide {
  const guide = guideHtml(markdown, pathOf);
  const path = pathOf(files[index] ?? "") ?? guidesPath;
  return { ...guide, path, title: guide.sections[0]?.title ?? "" };
}

/** What the search reads: every section of every guide. */
function indexOf(guides: readonly Guide[]): string {
  const sections = guides.flatMap((guide) =>
    guide.sections.map(({ title, anchor, text }) => ({
      guide: guide.title,
      title,
      path: `${guide.path}#${anchor}`,
      text,
    })),
  );
  return JSON.stringify(sections);
}
