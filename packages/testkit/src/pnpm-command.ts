/** The pnpm that runs the tests, a program or a script; else the one that npm downloads. */
export function pnpmCommand(): [program: string, ...parameters: string[]] {
  const path = process.env["npm_execpath"];
  if (path?.includes("pnpm") !== true) return ["npx", "-y", "pnpm@12"];
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}
