import { prepareReleaseBefore } from "@storefront/testkit";
import { buildImages, imageNames, imageOf } from "../build-images.ts";
import { containerTools } from "../container-tools.ts";
import { makeStandIns } from "../make-stand-ins.ts";

/**
 * Makes the images that the overlays of the tests name: this release's with the tag `dev`, those of
 * the release before with the tag `before`, and the stand-ins for PostgreSQL, Redis and Typesense.
 *
 * @param withReleaseBefore whether its sources can be had
 * @returns their names
 */
export async function makeImages(withReleaseBefore: boolean): Promise<string[]> {
  if (typeof containerTools === "string") throw new Error(containerTools);
  const standIns = await makeStandIns(containerTools);
  await buildImages(containerTools, { tag: "dev" });
  const images = [...standIns, ...imageNames.map((name) => imageOf(name, "dev"))];
  if (!withReleaseBefore) return images;
  const { root } = await prepareReleaseBefore();
  await buildImages(containerTools, { tag: "before", from: root });
  return [...images, ...imageNames.map((name) => imageOf(name, "before"))];
}
