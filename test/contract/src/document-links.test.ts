import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf, markdownFilesBelow } from "./read-markdown.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The broken links of a document into the repository. */
function brokenLinksOf(path: string): string[] {
  return linksOf(readFileSync(path, "utf8")).flatMap(({ target, line }) => {
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) return [];
    const [file = "", anchor] = target.split("#").map(decodeURIComponent);
    const linked = file === "" ? path : join(dirname(path), file);
    const where = `${relative(root, path)}:${line}: ${target}`;
    if (!existsSync(linked)) return [`${where}: no such file`];
    if (anchor === undefined || !linked.endsWith(".md")) return [];
    return anchorsOf(readFileSync(linked, "utf8")).has(anchor) ? [] : [`${where}: no such heading`];
  });
}

describe("links between documents", () => {
  const documents = markdownFilesBelow(root);

  it("are read in the documents of every folder", () => {
    const found = documents.map((path) => relative(root, path));
    expect(found).toEqual(expect.arrayContaining(["README.md", "packages/client/README.md"]));
  });

  it("lead from every document to existing files and headings", () => {
    expect(documents.flatMap(brokenLinksOf)).toEqual([]);
  });
});

describe("reading documents", () => {
  it("finds links, images and definitions, and none in code", () => {
    const text = [
      '[a](a.md) and ![b](b.png "title"), `[no](code.md)`',
      "```sh",
      "echo [no](fence.md)",
      "```",
      "[c]: c.md#part",
    ].join("\n");
    expect(linksOf(text)).toEqual([
      { target: "a.md", line: 1 },
      { target: "b.png", line: 1 },
      { target: "c.md#part", line: 5 },
    ]);
  });

  it("names headings as GitHub does, a repeated one by its number", () => {
    const text = ["# Who, what?", "## `storefront doctor`", "## Part", "## Part", "# A_b - c"];
    expect([...anchorsOf(text.join("\n"))]).toEqual([
      "who-what",
      "storefront-doctor",
      "part",
      "part-1",
      "a_b---c",
    ]);
  });

  it("finds explicit anchors", () => {
    expect([...anchorsOf('<a id="FeedLagging"></a>')]).toEqual(["FeedLagging"]);
  });
});
