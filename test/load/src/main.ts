// `pnpm bench`: every row beside its peer.
import "./run-rows.ts";
