import { pnpmCommand } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Licences that let a product under MIT be sold, changed and passed on; their texts go along with images. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Other licences, allowed for the way the package is used. */
const allowed: Record<string, string> = {
  // A typeface, which may be embedded in pages.
  "@fontsource-variable/figtree": "OFL-1.1",
  // Tools that are run and not changed: of the explorer's build, and of its tests.
  lightningcss: "MPL-2.0",
  "axe-core": "MPL-2.0",
  // Data of the example with Next.js, which is not passed on; asks for attribution.
  "caniuse-lite": "CC-BY-4.0",
};

test("every dependency may be used, changed and passed on", async () => {
  const [program, ...parameters] = pnpmCommand();
  const { stdout } = await promisify(execFile)(
    program,
    [...parameters, "--recursive", "licenses", "list", "--json"],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  const byLicence = JSON.parse(stdout) as Record<string, { name: string }[]>;
  const others = Object.entries(byLicence)
    .filter(([licence]) => !isPermissive(licence))
    .flatMap(([licence, packages]) => packages.map(({ name }) => ({ name, licence })))
    .filter(({ name, licence }) => allowed[platformless(name)] !== licence);
  expect(Object.values(byLicence).flat().length).toBeGreaterThan(100);
  expect(others).toEqual([]);
});

/** Whether each part of an expression such as `(MIT OR CC0-1.0)` is permissive. */
function isPermissive(licence: string): boolean {
  const parts = licence.replaceAll(/[()]/g, "").split(/ (?:AND|OR|and|or) /);
  return parts.every((part) => permissive.has(part));
}

/** The package that binaries of a platform belong to. */
function platformless(name: string): string {
  return name.replace(/-(?:linux|darwin|win32|freebsd|android)-.*$/, "");
}
