import { getOption, hasOption } from "@bufbuild/protobuf";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { page as pageOption } from "@storefront/contracts/rule/v1/rule";
import type { Page as PageLimits } from "@storefront/contracts/rule/v1/rule";

/** The page fields of list requests. */
export interface PageRequest {
  /** One-based; 0 or absent means 1. */
  readonly page?: number;
  /** 0 means the default; larger values than the cap are lowered to it. */
  readonly pageSize: number;
}

/** Which elements to return. */
export interface Page {
  readonly page: number;
  readonly pageSize: number;
  /** Elements before these. */
  readonly offset: number;
}

/** The page limits of a `page_size` field; undefined for any other. */
export function pageLimits(field: DescField): PageLimits | undefined {
  return hasOption(field, pageOption) ? getOption(field, pageOption) : undefined;
}

/** The requested elements, within the limits that the contract sets for `page_size`. */
export function pageOf(schema: DescMessage, request: PageRequest): Page {
  const limits = limitsOf(schema);
  if (limits === undefined) throw new TypeError(`${schema.typeName} has no pages`);
  return pageWithin(limits, request);
}

/** The same, within limits that are known. */
export function pageWithin(
  { defaultSize, maxSize }: PageLimits,
  { page: requested = 0, pageSize: size }: PageRequest,
): Page {
  const pageSize = Math.min(size === 0 ? defaultSize : size, maxSize);
  const page = requested === 0 ? 1 : requested;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

// Cached, since there are many requests.
const known = new WeakMap<DescMessage, PageLimits | undefined>();

function limitsOf(schema: DescMessage): PageLimits | undefined {
  if (!known.has(schema)) {
    known.set(
      schema,
      schema.fields.map(pageLimits).find((limits) => limits !== undefined),
    );
  }
  return known.get(schema);
}
