// `pnpm bench`: every row beside its peer.
await import("./run-rows.ts");
