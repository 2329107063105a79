import { prepareReleaseBefore, typesenseProgram } from "@storefront/testkit";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { buildImages, imageNames, imageOf } from "../build-images.ts";
import { containerTools } from "../container-tools.ts";

const standIns = resolve(import.meta.dirname, "../../kubernetes");
const databasesImage = "docker.io/storefront-test/databases:dev";
const typesenseImage = "docker.io/storefront-test/typesense:dev";

/**
 * Makes the images that the overlays of the tests name: this release's with the tag `dev`, those of
 * the release before with the tag `before`, and the stand-ins for PostgreSQL, Redis and Typesense.
 *
 * @param withReleaseBefore whether its sources can be had
 * @returns their names
 */
export async function makeImages(withReleaseBefore: boolean): Promise<string[]> {
  if (typeof containerTools === "string") throw new Error(containerTools);
  const build = ["bud", "--quiet", "--network=host"];
  const databases = [...build, `--tag=${databasesImage}`, `${standIns}/databases`];
  await containerTools.run("buildah", databases);
  const server = dirname(await typesenseProgram());
  const typesense = [`--tag=${typesenseImage}`, `--file=${standIns}/typesense/Dockerfile`, server];
  await containerTools.run("buildah", [...build, ...typesense]);
  await buildImages(containerTools, { tag: "dev" });
  const images = [
    databasesImage,
    typesenseImage,
    ...imageNames.map((name) => imageOf(name, "dev")),
  ];
  if (!withReleaseBefore) return images;
  const { root } = await prepareReleaseBefore();
  await buildImages(containerTools, { tag: "before", from: root });
  const before = imageNames.filter(
    (name) => name !== "webhooks" || existsSync(`${root}/services/${name}`),
  );
  return [...images, ...before.map((name) => imageOf(name, "before"))];
}
