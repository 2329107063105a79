import { expect, it } from "vitest";
import { highlightsOf, maxSnippetLength } from "./highlights.ts";

const nothing = { text: "", matches: [] };

/** A text whose bracketed words are its matches. */
function matched(bracketed: string) {
  const parts = bracketed.split(/[[\]]/);
  let at = 0;
  const matches = parts.flatMap((part, index) => {
    const start = at;
    at += part.length;
    return index % 2 === 0 ? [] : [{ start, end: at }];
  });
  return { text: parts.join(""), matches };
}

const titleOf = (bracketed: string) =>
  highlightsOf({ title: matched(bracketed), description: nothing }).title;
const snippetOf = (bracketed: string) =>
  highlightsOf({ title: nothing, description: matched(bracketed) }).description;

it("escapes text within and between matches", () => {
  expect(titleOf(`<mark>[a&b]</mark> "[c<d]" 'e'`)).toBe(
    "&lt;mark&gt;<mark>a&amp;b</mark>&lt;/mark&gt; &quot;<mark>c&lt;d</mark>&quot; &#39;e&#39;",
  );
});

it("leaves out texts without a match", () => {
  expect(highlightsOf({ title: matched("Moon"), description: matched("A moon.") })).toEqual({});
});

it("shows a short description in full", () => {
  expect(snippetOf("A calm game about a [harbour].\n")).toBe(
    "A calm game about a <mark>harbour</mark>.\n",
  );
});

const filler = "lorem ipsum dolor sit amet ".repeat(40);

it.each([
  [
    "its beginning",
    `[moon] ${filler}`,
    /^<mark>moon<\/mark> lorem .* (?:lorem|ipsum|dolor|sit|amet)$/,
  ],
  ["its middle", `${filler}[moon] ${filler}`, /^\w+ .* <mark>moon<\/mark> lorem .* \w+$/],
  ["its end", `${filler}[moon]`, /^\w+ .* <mark>moon<\/mark>$/],
  [
    "most different words",
    `[moon] [moon] [moon] ${filler}[moon] over [harbour] ${filler}`,
    /<mark>moon<\/mark> over <mark>harbour<\/mark>/,
  ],
  [
    "the first of several equal ones",
    `[moon] over [sea] ${filler}[tide] [tide] [sun] ${filler}`,
    /<mark>moon<\/mark> over <mark>sea<\/mark>/,
  ],
  ["one after a long word", `${"x".repeat(300)} [moon] ${filler}`, /^<mark>moon<\/mark> lorem/],
  ["a match longer than a snippet", `${filler}[${"x".repeat(500)}]`, /<mark>x+<\/mark>$/],
])("cuts a long description between words around %s", (_, bracketed, expected) => {
  const snippet = snippetOf(bracketed) ?? "";
  expect(snippet).toMatch(expected);
  const text = snippet.replaceAll(/<\/?mark>/g, "");
  expect(text.length).toBeLessThanOrEqual(maxSnippetLength);
  expect(text.length).toBeGreaterThan(maxSnippetLength - 20);
  expect(` ${matched(bracketed).text} `).toContain(text);
});

it.each([
  ["", ""],
  ["x", ""],
  ["", "x"],
  ["x", "x"],
])("never splits a code point, with %j before and %j after a match", (before, after) => {
  const letters = "\u{1f600}".repeat(300);
  const snippet = snippetOf(`${letters}${before}[moon]${after}${letters}`);
  expect(snippet).toContain(`${before}<mark>moon</mark>${after}`);
  expect(snippet?.isWellFormed()).toBe(true);
});
