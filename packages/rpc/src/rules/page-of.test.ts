import {
  GetOfferRequestSchema,
  ListItemsRequestSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { expect, it } from "vitest";
import { pageOf } from "./page-of.ts";

it("returns the page with the defaults and caps of the contract, and its offset", () => {
  expect(pageOf(ListItemsRequestSchema, { page: 0, pageSize: 0 })).toEqual({
    page: 1,
    pageSize: 10,
    offset: 0,
  });
  expect(pageOf(ListItemsRequestSchema, { page: 3, pageSize: 500 })).toEqual({
    page: 3,
    pageSize: 50,
    offset: 100,
  });
  expect(() => pageOf(GetOfferRequestSchema, { pageSize: 1 })).toThrow("has no pages");
});
