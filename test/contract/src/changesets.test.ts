import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../../.changeset/", import.meta.url);

const form = /^---\n(?:"(?:storefront|@storefront\/client)": (?:major|minor|patch)\n)+---\n\n\S/;

test("each changeset says which number it raises, of the product, the client or both, and why", () => {
  const changesets = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const isFormed = (name: string) => form.test(readFileSync(new URL(name, folder), "utf8"));
  expect(changesets.filter((name) => !isFormed(name))).toEqual([]);
});
