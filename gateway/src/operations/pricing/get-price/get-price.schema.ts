import { z } from "zod";
import { zCountry, zIdentifier } from "../../../schemas/parameters.ts";
import { zPricePoint } from "../../../schemas/price-point.ts";

export const zGetPriceInput = z.object({
  id: zIdentifier("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  country: zCountry,
});

export const zGetPriceOutput = zPricePoint;
