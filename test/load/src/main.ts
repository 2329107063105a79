// `pnpm bench`: with `--growth` the costs of catalogues of several sizes, with `--following` how soon a
// search shows what is imported, otherwise every row beside its peer.
if (process.argv.includes("--growth")) await import("./growth/run-growth.ts");
else if (process.argv.includes("--following")) await import("./following/run-following.ts");
else await import("./run-rows.ts");
