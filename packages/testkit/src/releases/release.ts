import { resolve } from "node:path";

/** A version of the product whose programs can be started. */
export interface Release {
  /** Such as `0.1.0`; `today` for the working tree. */
  readonly version: string;
  /** Absolute path of its sources' root. */
  readonly root: string;
}

/** The working tree. */
export const today: Release = {
  version: "today",
  root: resolve(import.meta.dirname, "../../../.."),
};
