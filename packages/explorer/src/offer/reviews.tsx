import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { BadgeCheck, ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../api/trpc.ts";
import type { Review, ReviewSummary } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Pagination } from "../search/pagination.tsx";
import { FailurePanel } from "../ui/state-panel.tsx";
import { LinesSkeleton, Section } from "./section.tsx";

const pageSize = 5;

/** Reviews, page by page; on demand only those of verified owners. */
export function Reviews({ id }: { id: string }) {
  const trpc = useTRPC();
  const [page, setPage] = useState(1);
  const [isVerified, setVerified] = useState(false);
  const { data, error, refetch } = useQuery(
    trpc.reviews.listReviews.queryOptions(
      { id, page, limit: pageSize, verified: isVerified ? "true" : undefined },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Section
      title={data === undefined ? "Reviews" : `Reviews (${data.total.toLocaleString("en")})`}
      aside={
        <label className="check">
          <input
            type="checkbox"
            checked={isVerified}
            onChange={({ target }) => {
              setVerified(target.checked);
              setPage(1);
            }}
          />
          Verified owners only
        </label>
      }
    >
      {error && data === undefined ? (
        <FailurePanel error={error} subject="Reviews" level={3} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LinesSkeleton lines={6} />
      ) : data.total === 0 ? (
        <p className="section__empty">There are no reviews yet.</p>
      ) : (
        <>
          <RatingLine summary={data.reviewSummary} />
          <ul className="reviews">
            {data.elements.map((review) => (
              <ReviewItem key={review.id} review={review} />
            ))}
          </ul>
          <Pagination
            page={page}
            total={data.total}
            pageSize={pageSize}
            onChange={setPage}
            label="Pages of reviews"
          />
        </>
      )}
    </Section>
  );
}

/** The mean of all ratings; nothing without one. */
function RatingLine({ summary }: { summary: ReviewSummary }) {
  const { locale } = useSettings();
  if (summary === null || summary.average === null) return null;
  const { average, count } = summary;
  return (
    <p className="section__empty">
      Rated {average.toLocaleString(locale, { maximumFractionDigits: 1 })} of 10 by{" "}
      {count.toLocaleString(locale)} {count === 1 ? "player" : "players"}.
    </p>
  );
}

function ReviewItem({ review }: { review: Review }) {
  const { locale } = useSettings();
  const { rating, title, content, recommended, verified, createdAt, user } = review;
  return (
    <li className="review">
      <div className="review__head">
        {rating === null ? null : (
          <span className="review__rating" aria-label={`Rated ${rating} of 10`} role="img">
            {rating.toLocaleString(locale, { maximumFractionDigits: 1 })}
          </span>
        )}
        <div>
          <h3 className="review__title">{title ?? "Without a title"}</h3>
          <p className="review__by">
            {user.displayName ?? "Anonymous"}
            {verified === true ? (
              <span className="review__verified">
                <BadgeCheck aria-hidden="true" /> Verified owner
              </span>
            ) : null}
            {createdAt === null ? null : <span>{formatDay(createdAt, locale)}</span>}
          </p>
        </div>
        {recommended === null ? null : (
          <span className="review__verdict">
            {recommended ? <ThumbsUp aria-hidden="true" /> : <ThumbsDown aria-hidden="true" />}
            <span className="visually-hidden">
              {recommended ? "Recommends it" : "Does not recommend it"}
            </span>
          </span>
        )}
      </div>
      <p className="prose">{content}</p>
    </li>
  );
}
