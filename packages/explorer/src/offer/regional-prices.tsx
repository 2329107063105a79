import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRegions, useTRPC } from "../api/trpc.ts";
import type { Offer, Region, RegionalPrice } from "../api/types.ts";
import { lowestTimeOf } from "../format/lowest-time.ts";
import type { LowestTime } from "../format/lowest-time.ts";
import { formatMoney } from "../format/money.ts";
import { regionName, regionOf } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { FailurePanel } from "../ui/state-panel.tsx";
import { TableHead } from "../ui/table-head.tsx";
import { isSoldInRegion } from "./is-sold-in.ts";
import { LinesSkeleton, Section } from "./section.tsx";

const columns = [["Region"], ["Price", "number"], ["Off", "number"]] as const;

/** About as many as fit next to the history and the description. */
const fewRows = 20;

/** The offer's prices in every region. */
export function RegionalPrices({ offer }: { offer: Offer }) {
  const trpc = useTRPC();
  const { country } = useSettings();
  const regions = useRegions();
  const own = regions.data && regionOf(regions.data, country);
  const prices = useQuery(
    trpc.pricing.listOfferPrices.queryOptions({ id: offer.id, lows: true, fields: "price,lows" }),
  );
  const priceIn = new Map(prices.data?.prices.map((price) => [price.region, price]));
  const failure = regions.error ?? prices.error;
  return (
    <Section title="Regional prices">
      {failure ? (
        <FailurePanel
          error={failure}
          subject="Prices"
          level={3}
          onRetry={() => {
            void regions.refetch();
            void prices.refetch();
          }}
        />
      ) : regions.isPending || prices.isPending ? (
        <LinesSkeleton lines={fewRows} />
      ) : (
        <RegionTable
          rows={orderRegions(regions.data ?? [], own).map((region) => ({
            region,
            found: isSoldInRegion(region, offer, country) ? priceIn.get(region.region) : undefined,
          }))}
          own={own}
        />
      )}
    </Section>
  );
}

// The chosen region first, the others by name.
function orderRegions(regions: readonly Region[], own: Region | undefined): Region[] {
  return regions.toSorted((a, b) => {
    if (a === own || b === own) return a === own ? -1 : 1;
    return regionName(a).localeCompare(regionName(b), "en");
  });
}

interface Row {
  region: Region;
  /** Undefined if it is not sold there. */
  found: RegionalPrice | undefined;
}

/** For a price that is the lowest ever; the table omits shorter periods. */
function lowestEverOf({ found }: Row): LowestTime | undefined {
  const lowest = found && lowestTimeOf(found);
  return lowest?.time === "ever" ? lowest : undefined;
}

function RegionTable({ rows, own }: { rows: readonly Row[]; own: Region | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? rows : rows.slice(0, fewRows);
  const [lowest] = shown.flatMap((row) => lowestEverOf(row) ?? []);
  return (
    <>
      <table className="table table--regions">
        <TableHead columns={columns} />
        <tbody>
          {shown.map((row) => (
            <RegionRow key={row.region.region} row={row} isOwn={row.region === own} />
          ))}
        </tbody>
      </table>
      {lowest === undefined ? null : (
        <p className="table__note lowest-dot" aria-hidden="true">
          {lowest.name}
        </p>
      )}
      {rows.length > fewRows ? (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Fewer regions" : `All ${rows.length} regions`}
        </button>
      ) : null}
    </>
  );
}

function RegionRow({ row, isOwn }: { row: Row; isOwn: boolean }) {
  const { region, found } = row;
  const lowest = lowestEverOf(row);
  const { locale } = useSettings();
  const price = found?.price;
  const percent = price?.percentOff ?? 0;
  return (
    <tr data-own={isOwn}>
      <th scope="row">
        {regionName(region)}{" "}
        <span className="table__hint">
          {region.countries.length > 1 ? `${region.countries.length} countries, ` : ""}
          {region.currencyCode}
        </span>
      </th>
      <td className="table__number">
        {lowest === undefined ? null : (
          <span className="lowest-dot">
            <span className="visually-hidden">{lowest.name}: </span>
          </span>
        )}
        {price === undefined ? (
          <span className="table__hint">Not sold</span>
        ) : (
          formatMoney(price.discountPrice, price, locale)
        )}
      </td>
      <td className="table__number">{percent === 0 ? "" : `${percent}%`}</td>
    </tr>
  );
}
