import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeTemporaryDirectory, pnpmCommand } from "@storefront/testkit";

const run = promisify(execFile);

const packageDirectory = fileURLToPath(new URL("../..", import.meta.url));

/** The package as its users have it: packed, and unpacked into `node_modules` with its dependencies. */
export interface PackedClient {
  tarball: Buffer;
  tarballPath: string;
  /** A project that has installed the package. */
  projectDirectory: string;
  /** Directory of the package in the project. */
  installedDirectory: string;
  /** Output directory of the compiler. */
  compiledDirectory: string;
  remove(): Promise<void>;
}

// As strict as users may be; their checks include the declarations of installed packages.
const userConfig = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    outDir: "compiled",
  },
};

/** Builds and packs the package, and installs it into a project of its own. */
export async function packClient(): Promise<PackedClient> {
  const temporary = await makeTemporaryDirectory();
  const { path: projectDirectory } = temporary;
  const [program, ...parameters] = pnpmCommand();
  await run(program, [...parameters, "pack", "--pack-destination", projectDirectory], {
    cwd: packageDirectory,
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}` },
  });
  const name = (await readdir(projectDirectory)).find((file) => file.endsWith(".tgz")) ?? "";
  const installedDirectory = join(projectDirectory, "node_modules/@storefront/client");
  await mkdir(installedDirectory, { recursive: true });
  await run("tar", [
    "-xzf",
    join(projectDirectory, name),
    "-C",
    installedDirectory,
    "--strip-components=1",
  ]);
  await linkDependencies(projectDirectory);
  await writeFile(join(projectDirectory, "package.json"), '{ "private": true, "type": "module" }');
  await writeFile(join(projectDirectory, "tsconfig.json"), JSON.stringify(userConfig));
  return {
    tarball: await readFile(join(projectDirectory, name)),
    tarballPath: join(projectDirectory, name),
    projectDirectory,
    installedDirectory,
    compiledDirectory: join(projectDirectory, userConfig.compilerOptions.outDir),
    remove: () => temporary.remove(),
  };
}

// The dependencies that the README lists; the workspace has them already.
async function linkDependencies(projectDirectory: string): Promise<void> {
  for (const [scope, names] of [
    ["@types", ["node"]],
    ["@trpc", ["client", "server"]],
    ["@bufbuild", ["protobuf"]],
    ["@connectrpc", ["connect", "connect-node"]],
  ] as const) {
    await mkdir(join(projectDirectory, "node_modules", scope), { recursive: true });
    for (const name of names) {
      const target = join(packageDirectory, "node_modules", scope, name);
      await symlink(target, join(projectDirectory, "node_modules", scope, name));
    }
  }
}
