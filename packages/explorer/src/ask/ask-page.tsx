import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../api/trpc.ts";
import type { PricedOffer } from "../api/types.ts";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { useSettings } from "../layout/use-settings.ts";
import { OfferGridSkeleton } from "../search/offer-grid.tsx";
import { Cover } from "../ui/cover.tsx";
import { LowestBadge, Price } from "../ui/price.tsx";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import "../styles/ask.css";

const matchesMax = 12;

const examples = [
  "farming and growing things",
  "alone against monsters in the dark",
  "racing with friends on one sofa",
  "solve a murder as a detective",
];

/** Finds offers by the meaning of a sentence. */
export function AskPage() {
  const { q } = useSearch({ from: "/ask" });
  useDocumentTitle(q === undefined ? "Ask" : `“${q}”`);
  return (
    <div className="ask">
      <h1 className="ask__title">What do you feel like playing?</h1>
      <AskForm key={q} text={q ?? ""} />
      {q === undefined ? <Examples /> : <Matches text={q} />}
    </div>
  );
}

function AskForm({ text }: { text: string }) {
  const navigate = useNavigate({ from: "/ask" });
  const [words, setWords] = useState(text);
  return (
    <form
      className="ask__form"
      role="search"
      aria-label="By meaning"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== "") void navigate({ search: { q: words.trim() } });
      }}
    >
      <input
        type="text"
        value={words}
        maxLength={500}
        aria-label="Say it in your own words"
        placeholder="Say it in your own words"
        onChange={({ target }) => setWords(target.value)}
      />
      <button type="submit" className="button">
        Ask
        <ArrowRight aria-hidden="true" />
      </button>
    </form>
  );
}

function Examples() {
  return (
    <div className="ask__examples">
      <p>For example</p>
      <ul className="chips">
        {examples.map((example) => (
          <li key={example}>
            <Link to="/ask" search={{ q: example }} className="chip">
              {example}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Matches({ text }: { text: string }) {
  const trpc = useTRPC();
  const settings = useSettings();
  const { data, error, refetch } = useQuery(
    trpc.search.searchOffersByMeaning.queryOptions({
      ...settings,
      lows: true,
      query: text,
      topK: matchesMax,
    }),
  );
  if (error && data === undefined) {
    return (
      <FailurePanel error={error} subject="Search by meaning" onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) return <OfferGridSkeleton count={6} />;
  if (data.count === 0) {
    return <StatePanel kind="empty" title="No offer is close. Try other words." />;
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {data.count} offers, nearest first
      </p>
      <ol className="matches">
        {data.matches.map(({ offer }) => (
          <li key={offer.id}>
            <Match offer={offer} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** An offer that is close to the request. */
function Match({ offer }: { offer: PricedOffer }) {
  const { id, title, description, developerDisplayName, keyImages, price } = offer;
  return (
    <article className="match">
      <Cover id={id} images={keyImages} shape="tall" />
      <div className="match__text">
        <h2 className="match__title">
          <Link to="/offers/$offerId" params={{ offerId: id }} className="card__link">
            {title ?? "Untitled"}
          </Link>
        </h2>
        <p className="card__by">{developerDisplayName}</p>
        <p className="match__description">{description}</p>
        <Price price={price} />
        <LowestBadge price={price} />
      </div>
    </article>
  );
}
