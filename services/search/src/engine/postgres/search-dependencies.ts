import type { Database } from "@storefront/database";
import type { ColumnsOfGenerations } from "./columns/index-columns.ts";
import type { TermKinds } from "./columns/term-kinds.ts";
import type { KnownWords } from "./words/known-words.ts";
import type { TermNumbers } from "./term-numbers.ts";

export interface SearchDependencies {
  readonly database: Database;
  readonly terms: TermNumbers;
  readonly kinds: TermKinds;
  readonly words: KnownWords;
  readonly columns: ColumnsOfGenerations;
}
