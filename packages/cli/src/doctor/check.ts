/** What one check of `storefront doctor` found. */
export interface Check {
  name: string;
  /** What was found, when all is well. */
  finding?: string;
  /** What is wrong, as a sentence. */
  problem?: string;
  /** What to do about it, as a sentence. */
  remedy?: string;
}

export function fine(name: string, finding: string): Check {
  return { name, finding };
}

export function wrong(name: string, problem: string, remedy: string): Check {
  return { name, problem, remedy };
}
