import { prepareReleaseBefore } from "@storefront/testkit";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildImages, imageNames, imageOf } from "../build-images.ts";
import { containerTools } from "../container-tools.ts";

const databases = resolve(import.meta.dirname, "../../kubernetes/databases");
const databasesImage = "docker.io/storefront-test/databases:dev";

/**
 * Makes the images that the overlays of the tests name: this release's with the tag `dev`, those of
 * the release before with the tag `before`, and the stand-in for PostgreSQL and Redis.
 *
 * @param withReleaseBefore whether its sources can be had
 * @returns their names
 */
export async function makeImages(withReleaseBefore: boolean): Promise<string[]> {
  if (typeof containerTools === "string") throw new Error(containerTools);
  const building = ["bud", "--quiet", "--network=host", `--tag=${databasesImage}`, databases];
  await containerTools.run("buildah", building);
  await buildImages(containerTools, { tag: "dev" });
  const images = [databasesImage, ...imageNames.map((name) => imageOf(name, "dev"))];
  if (!withReleaseBefore) return images;
  const { root } = await prepareReleaseBefore();
  await buildImages(containerTools, { tag: "before", from: root });
  const before = imageNames.filter(
    (name) => name !== "webhooks" || existsSync(`${root}/services/${name}`),
  );
  return [...images, ...before.map((name) => imageOf(name, "before"))];
}
