import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MarkedText } from "./offer-grid.tsx";

it.each([
  ["a highlight unchanged", "Ships &amp; <mark>Harbour</mark>", "Ships &amp; <mark>Harbour</mark>"],
  ["several matches", "<mark>a</mark><mark>b</mark>\nc", "<mark>a</mark><mark>b</mark>\nc"],
  ["escaped characters once", "&amp;lt; &quot;it&#39;s&quot;", "&amp;lt; &quot;it&#x27;s&quot;"],
  ["escaped elements as text", "&lt;img src=x&gt;", "&lt;img src=x&gt;"],
  ["other elements as text", "<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
  ["attributes as text", "<mark onclick=f()>a</mark>", "&lt;mark onclick=f()&gt;a&lt;/mark&gt;"],
  ["elements in a match as text", "<mark><b>a</b></mark>", "<mark>&lt;b&gt;a&lt;/b&gt;</mark>"],
  ["other entities as text", "&nbsp;&#x3c;", "&amp;nbsp;&amp;#x3c;"],
  ["nothing for an empty text", "", ""],
])("shows %s", (_, html, expected) => {
  expect(renderToStaticMarkup(createElement(MarkedText, { html }))).toBe(expected);
});
