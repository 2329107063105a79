// `pnpm bench`: with `--growth` what catalogues of several sizes take, otherwise every row beside its peer.
if (process.argv.includes("--growth")) await import("./growth/run-growth.ts");
else await import("./run-rows.ts");
