import { Slider } from "@base-ui/react/slider";
import { useRef, useState } from "react";
import { useRegions } from "../api/trpc.ts";
import type { Aggregations } from "../api/types.ts";
import { formatBound } from "../format/money.ts";
import type { Currency } from "../format/money.ts";
import { regionOf } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { useSearchParams } from "./use-search-params.ts";

type PriceStats = Aggregations["price_stats"];

/**
 * Bounds of the price: two thumbs over the prices that match the other filters.
 *
 * @param stats of the results without these bounds, which would shrink the slider to themselves; undefined
 * while they are unknown, which does not change the slider
 */
export function PriceFilter({ stats }: { stats: PriceStats | undefined }) {
  const { params, change } = useSearchParams();
  const known = useRef(stats);
  if (stats !== undefined) known.current = stats;
  const bounds = useBounds(known.current);
  if (bounds === undefined) return null;
  const { currency, least, most, step } = bounds;
  return (
    <PriceSlider
      {...{ currency, least, most, step }}
      chosen={[
        Math.max(least, Math.min(params.min ?? least, most)),
        Math.min(most, Math.max(params.max ?? most, least)),
      ]}
      onChange={([min, max]) =>
        change({ min: min <= least ? undefined : min, max: max >= most ? undefined : max })
      }
    />
  );
}

interface Bounds {
  currency: Currency;
  /** Minor units, as all that follow. */
  least: number;
  most: number;
  step: number;
}

function useBounds(stats: PriceStats | undefined): Bounds | undefined {
  const { country } = useSettings();
  const { data: regions } = useRegions();
  const currency = regions && regionOf(regions, country);
  const { min = null, max = null } = stats ?? {};
  if (currency === undefined || min === null || max === null) return undefined;
  const unit = 10 ** currency.currencyDecimals;
  const step = stepFor(max / unit) * unit;
  const least = Math.floor(min / step) * step;
  const most = Math.ceil(max / step) * step;
  return most > least ? { currency, least, most, step } : undefined;
}

// About a hundred steps of 1, 2 or 5 times a power of ten, at least one whole unit.
function stepFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most / 100, 1)));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => most / step <= 100) ?? power;
}

interface PriceSliderProps extends Bounds {
  chosen: [number, number];
  onChange: (chosen: [number, number]) => void;
}

function PriceSlider({ currency, least, most, step, chosen, onChange }: PriceSliderProps) {
  const { locale } = useSettings();
  // The thumbs' values until the URL changes.
  const [moved, setMoved] = useState({ from: "", to: chosen });
  const [min, max] = moved.from === String(chosen) ? moved.to : chosen;
  const money = (amount: number) => formatBound(amount, currency, locale);
  return (
    <Slider.Root
      className="price-filter"
      min={least}
      max={most}
      step={step}
      largeStep={step * 10}
      value={[min, max]}
      onValueChange={([from = least, to = most]) =>
        setMoved({ from: String(chosen), to: [from, to] })
      }
      onValueCommitted={([from = least, to = most]) => onChange([from, to])}
      aria-label="Price"
    >
      <div className="price-filter__head">
        <span className="facet__title">Price</span>
        <span className="price-filter__value">
          {money(min)} – {money(max)}
        </span>
      </div>
      <Slider.Control className="slider">
        <Slider.Track className="slider__track">
          <Slider.Indicator className="slider__range" />
          <Slider.Thumb
            index={0}
            className="slider__thumb"
            aria-label="Lowest price"
            getAriaValueText={(_text, value) => money(value)}
          />
          <Slider.Thumb
            index={1}
            className="slider__thumb"
            aria-label="Highest price"
            getAriaValueText={(_text, value) => money(value)}
          />
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  );
}
