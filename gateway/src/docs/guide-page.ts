import type { GuideHtml } from "./guide-html.ts";

/** A guide with its address. */
export interface Guide extends GuideHtml {
  readonly path: string;
  readonly title: string;
}

/** Where the guides, their style, script and search index are. */
export const guidesPath = "/docs/guides";

/** The page of a guide, with links to all guides and to its own sections. */
export function guidePage(guide: Guide, guides: readonly Guide[]): string {
  const items = guides.map((one) => {
    const current = one === guide ? ' aria-current="page"' : "";
    const own = one === guide ? sectionList(one) : "";
    return `<li><a href="${one.path}"${current}>${one.title}</a>${own}</li>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${guide.title} – Storefront catalogue</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${guidesPath}/guides.css">
    <script type="module" src="${guidesPath}/guides.js"></script>
  </head>
  <body>
    <header>
      <a class="brand" href="${guidesPath}">Storefront guides</a>
      <form role="search" hidden>
        <input type="search" aria-label="Search the guides" placeholder="Search the guides">
        <ul role="list" aria-live="polite"></ul>
      </form>
      <a href="/docs">API reference</a>
    </header>
    <div class="columns">
      <nav aria-label="Guides"><ul>${items.join("\n")}</ul></nav>
      <main>${guide.html}</main>
    </div>
  </body>
</html>
`;
}

function sectionList({ sections }: Guide): string {
  const items = sections
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(
      ({ anchor, title, depth }) => `<li class="d${depth}"><a href="#${anchor}">${title}</a></li>`,
    );
  return items.length === 0 ? "" : `<ul>${items.join("\n")}</ul>`;
}

/** Lists the sections that contain every typed word, those with a word in the title first. */
export const guidesScript = `const form = document.querySelector("form[role=search]");
const input = form.querySelector("input");
const list = form.querySelector("ul");
let loading;
const load = () =>
  (loading ??= fetch("${guidesPath}/index.json").then(
    (response) => response.json(),
    () => (loading = undefined),
  ));
async function show() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const sections = words.length === 0 ? [] : ((await load()) ?? []);
  const rank = ({ title }) => words.filter((word) => title.toLowerCase().includes(word)).length;
  const found = sections
    .filter(({ guide, title, text }) => {
      const whole = \`\${guide} \${title} \${text}\`.toLowerCase();
      return words.every((word) => whole.includes(word));
    })
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, 12);
  const items = found.map(({ guide, title, path }) => {
    const link = Object.assign(document.createElement("a"), { href: path, textContent: title });
    const place = Object.assign(document.createElement("small"), { textContent: guide });
    const item = document.createElement("li");
    item.append(link, " ", place);
    return item;
  });
  if (items.length === 0 && words.length > 0) {
    items.push(Object.assign(document.createElement("li"), { textContent: "No section has these words." }));
  }
  list.replaceChildren(...items);
}
input.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
form.hidden = false;
`;
