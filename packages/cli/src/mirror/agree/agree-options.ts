import type { Importer } from "../../import/importer.ts";
import type { CallService } from "../call-service.ts";
import type { ForgetMirrored } from "../forget-mirrored.ts";

/** What a copy is made to agree with. */
export interface AgreeOptions {
  /** Base URL, which reasons name. */
  origin: string;
  /** The snapshot's file, all of which has been imported. */
  path: string;
  /** Kinds of the snapshot in its order. */
  kindOrder: ReadonlyMap<string, number>;
  call: CallService;
  forget: ForgetMirrored;
  importer: Importer;
  signal: AbortSignal;
}
