import { curveStepAfter } from "@visx/curve";
import { scaleLinear, scaleUtc } from "@visx/scale";
import { AreaClosed, LinePath } from "@visx/shape";
import { useLayoutEffect, useRef, useState } from "react";
import type { Locale } from "@storefront/domain/identifiers";
import type { PriceLow, PricePoint } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { formatBound, formatMoney } from "../format/money.ts";
import type { Currency } from "../format/money.ts";
import { chartStepsOf, markOf, stepAt } from "./chart-steps.ts";
import type { ChartSteps, Step } from "./chart-steps.ts";
import { lowDaysOf } from "../format/lowest-time.ts";

const height = 240;
const margin = { top: 16, right: 12, bottom: 28, left: 56 };

interface PriceChartProps {
  /** Newest first. */
  points: readonly PricePoint[];
  /** The lowest price ever, which is marked. */
  low: PriceLow | null;
  locale: Locale;
}

/**
 * Prices over time as steps. For screen readers its label has the summary; the table next to it has all
 * prices.
 */
export function PriceChart({ points, low, locale }: PriceChartProps) {
  const { element, width } = useWidth();
  const [nowMs] = useState(Date.now);
  const [atMs, setAtMs] = useState<number>();
  const chart = chartStepsOf(points, nowMs);
  if (chart === undefined) return null;
  const money = (amount: number) => formatMoney(amount, chart.currency, locale);
  const shown = stepAt(chart, atMs ?? chart.endMs);
  const lowest =
    low === null
      ? undefined
      : `Lowest ${money(low.discountPrice)}, ${lowDaysOf(low, locale).join(", ")}`;
  return (
    <figure className="chart" ref={element}>
      <figcaption className="chart__readout">
        <Readout {...{ step: shown, atMs, currency: chart.currency, locale }} />
        {lowest === undefined ? null : <span className="chart__lowest lowest-dot">{lowest}</span>}
      </figcaption>
      {width === 0 ? (
        <div style={{ height }} />
      ) : (
        <Plot
          {...{ chart, width, locale, atMs, low }}
          label={[labelOf(chart, money, locale), lowest].filter(Boolean).join(" ")}
          onPoint={setAtMs}
        />
      )}
    </figure>
  );
}

function labelOf(chart: ChartSteps, money: (amount: number) => string, locale: Locale): string {
  const { steps } = chart;
  const last = steps.at(-1) ?? steps[0];
  return [
    `Price since ${formatDay(isoOf(steps[0].fromMs), locale)}, ${steps.length} steps.`,
    `Now ${money(last.now)}.`,
  ].join(" ");
}

interface ReadoutProps {
  step: Step;
  /** Undefined while no time is pointed at. */
  atMs: number | undefined;
  currency: Currency;
  locale: Locale;
}

function Readout({ step, atMs, currency, locale }: ReadoutProps) {
  const money = (amount: number) => formatMoney(amount, currency, locale);
  return (
    <>
      <span className="chart__date">
        {atMs === undefined ? "Now" : formatDay(isoOf(atMs), locale)}
      </span>
      <strong>{money(step.now)}</strong>
      {step.full > step.now ? <s>{money(step.full)}</s> : null}
    </>
  );
}

interface PlotProps {
  chart: ChartSteps;
  width: number;
  locale: Locale;
  atMs: number | undefined;
  /** The price that is marked. */
  low: PriceLow | null;
  label: string;
  onPoint: (atMs: number | undefined) => void;
}

function Plot({ chart, width, locale, atMs, low, label, onPoint }: PlotProps) {
  const { steps, endMs } = chart;
  const markedMs = low === null ? undefined : markOf(chart, low);
  const most = Math.max(...steps.map(({ full, now }) => Math.max(full, now)), 1);
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  const x = scaleUtc({ domain: [steps[0].fromMs, endMs], range: [margin.left, right] });
  const y = scaleLinear({ domain: [0, most * 1.1], range: [bottom, margin.top] });
  // The last step continues to the end.
  const last = steps.at(-1) ?? steps[0];
  const line: Step[] = [...steps, { ...last, fromMs: endMs }];
  const [xOf, nowOf, fullOf] = [
    (step: Step) => x(step.fromMs),
    (step: Step) => y(step.now),
    (step: Step) => y(step.full),
  ];
  const months = new Intl.DateTimeFormat(locale, tickFormat(endMs - steps[0].fromMs));
  return (
    <svg
      className="chart__plot"
      width={width}
      height={height}
      role="img"
      aria-label={label}
      onPointerMove={({ clientX, currentTarget }) => {
        const at = x.invert(clientX - currentTarget.getBoundingClientRect().left).getTime();
        onPoint(Math.min(endMs, Math.max(steps[0].fromMs, at)));
      }}
      onPointerLeave={() => onPoint(undefined)}
    >
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line className="chart__grid" x1={margin.left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text
            className="chart__tick"
            x={margin.left - 8}
            y={y(tick)}
            dy="0.32em"
            textAnchor="end"
          >
            {tick === 0 ? "0" : formatBound(tick, chart.currency, locale)}
          </text>
        </g>
      ))}
      {x.ticks(Math.max(2, Math.floor(width / 130))).map((tick) => (
        <text
          key={tick.getTime()}
          className="chart__tick"
          x={x(tick)}
          y={height - 8}
          textAnchor="middle"
        >
          {months.format(tick)}
        </text>
      ))}
      <AreaClosed
        className="chart__area"
        data={line}
        x={xOf}
        y={nowOf}
        yScale={y}
        curve={curveStepAfter}
      />
      <LinePath className="chart__full" data={line} x={xOf} y={fullOf} curve={curveStepAfter} />
      <LinePath className="chart__now" data={line} x={xOf} y={nowOf} curve={curveStepAfter} />
      {low === null || markedMs === undefined ? null : (
        <circle className="chart__dot" cx={x(markedMs)} cy={y(low.discountPrice)} r="4.5" />
      )}
      {atMs === undefined ? null : (
        <line className="chart__cursor" x1={x(atMs)} x2={x(atMs)} y1={margin.top} y2={bottom} />
      )}
    </svg>
  );
}

const dayMs = 86_400_000;

function tickFormat(spanMs: number): Intl.DateTimeFormatOptions {
  if (spanMs < 120 * dayMs) return { month: "short", day: "numeric", timeZone: "UTC" };
  return { month: "short", year: "2-digit", timeZone: "UTC" };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The width of an element in CSS pixels, 0 before it is known, and the reference to give it. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    setWidth(element.current.getBoundingClientRect().width);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
