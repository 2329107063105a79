import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BundledPackage } from "./packages-in.ts";

/** The contents of a bundle. */
export interface Inventory {
  name: string;
  version: string;
  packages: readonly BundledPackage[];
}

/**
 * Writes `sbom.json` (CycloneDX 1.6) and `LICENSES.txt`, with the texts that the packages' licences
 * require to be distributed.
 */
export async function writeInventory(directory: string, inventory: Inventory): Promise<void> {
  const byPurl = new Map(inventory.packages.map((one) => [purlOf(one), one]));
  const packages = [...byPurl].toSorted(([a], [b]) => compare(a, b)).map(([, one]) => one);
  const bom = JSON.stringify(bomOf({ ...inventory, packages }), undefined, 2);
  await writeFile(join(directory, "sbom.json"), `${bom}\n`);
  const texts = await Promise.all(packages.map(licenseTextOf));
  await writeFile(join(directory, "LICENSES.txt"), texts.join("\n"));
}

// No time and no serial number: the same sources give the same file.
function bomOf({ name, version, packages }: Inventory) {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components: packages.map((one) => ({
      type: "library",
      "bom-ref": purlOf(one),
      name: one.name,
      version: one.version,
      purl: purlOf(one),
      ...(one.license === undefined
        ? {}
        : { licenses: [{ expression: expressionOf(one.license) }] }),
    })),
    dependencies: [{ ref: `${name}@${version}`, dependsOn: packages.map(purlOf) }],
  };
}

// SPDX has its operators in capitals; some packages do not.
function expressionOf(license: string): string {
  return license.replace(/ (?:and|or|with) /g, (operator) => operator.toUpperCase());
}

function purlOf({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

async function licenseTextOf(one: BundledPackage): Promise<string> {
  const names = (await readdir(one.directory)).filter((name) =>
    /^(?:licen[cs]e|notice)/i.test(name),
  );
  const texts = await Promise.all(
    names.toSorted().map((name) => readFile(join(one.directory, name), "utf8")),
  );
  const title = `${one.name} ${one.version} (${one.license ?? "no licence named"})`;
  return [title, "=".repeat(title.length), ...texts.map((text) => text.trim()), ""].join("\n\n");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
