import { invalidFields } from "../errors/service-error.ts";
import type { FieldViolation } from "../errors/service-error.ts";
import { isIdentifier } from "../is-identifier.ts";

/** The page fields that list requests have. */
export interface PageRequest {
  /** One-based; 0 means 1. */
  readonly page: number;
  /** 0 means the default; what is over the cap is lowered to it. */
  readonly pageSize: number;
}

/** What a list allows. */
export interface PageLimits {
  readonly defaultSize: number;
  readonly maxSize: number;
  /** Most elements to skip; default 100,000. */
  readonly maxOffset?: number;
}

/** Which elements to give. */
export interface Page {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/**
 * Collects what is wrong with a request, then refuses it with all of it at once. Fields are named as
 * in the contract: `offer_ids[3]`.
 */
export class RequestCheck {
  readonly #violations: FieldViolation[] = [];

  /** Says `description` of the field unless the condition holds. */
  that(field: string, condition: boolean, description: string): this {
    if (!condition) this.#violations.push({ field, description });
    return this;
  }

  /** An identifier: 1 to 256 characters without control characters. */
  identifier(field: string, value: string): this {
    const rule = "must be 1 to 256 characters without control characters";
    return this.that(field, isIdentifier(value), rule);
  }

  /** At most `maxCount` identifiers; none is allowed. */
  identifiers(field: string, values: readonly string[], maxCount: number): this {
    if (values.length > maxCount) {
      return this.that(field, false, `must have at most ${maxCount} elements`);
    }
    for (const [index, value] of values.entries()) this.identifier(`${field}[${index}]`, value);
    return this;
  }

  /** The size of a page: the default for 0, at most the cap. */
  pageSize(field: string, value: number, { defaultSize, maxSize }: PageLimits): number {
    this.that(field, value >= 0, "must not be negative");
    return Math.min(value === 0 ? defaultSize : value, maxSize);
  }

  /** The elements that `page` and `page_size` ask for. */
  page(request: PageRequest, limits: PageLimits): Page {
    const pageSize = this.pageSize("page_size", request.pageSize, limits);
    const page = request.page === 0 ? 1 : request.page;
    const maxOffset = limits.maxOffset ?? 100_000;
    const offset = (page - 1) * pageSize;
    this.that("page", page >= 1, "must not be negative");
    this.that("page", offset <= maxOffset, `must not skip more than ${maxOffset} elements`);
    return { page, pageSize, offset };
  }

  /** Throws INVALID_ARGUMENT naming every field at fault, if there is one. */
  done(): void {
    if (this.#violations.length > 0) throw invalidFields(this.#violations);
  }
}
