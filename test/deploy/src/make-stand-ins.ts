import { typesenseProgram } from "@storefront/testkit";
import { dirname, resolve } from "node:path";
import type { ContainerTools } from "./container-tools.ts";

const folders = resolve(import.meta.dirname, "../kubernetes");

/**
 * Builds the images `storefront-test/databases:dev` and `storefront-test/typesense:dev`, in place of those of a registry.
 *
 * @returns their names
 */
export async function makeStandIns(tools: ContainerTools): Promise<string[]> {
  const build = async (name: string, context: string): Promise<string> => {
    const image = `docker.io/storefront-test/${name}:dev`;
    const dockerfile = `--file=${folders}/${name}/Dockerfile`;
    const parameters = ["bud", "--quiet", "--network=host", `--tag=${image}`, dockerfile, context];
    await tools.run("buildah", parameters);
    return image;
  };
  return [
    await build("databases", `${folders}/databases`),
    await build("typesense", dirname(await typesenseProgram())),
  ];
}
