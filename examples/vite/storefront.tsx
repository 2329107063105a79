import { createCatalogClient, formatMoney, retryCatalogErrors } from "@storefront/client";
import type { CatalogRouter } from "@storefront/client";
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { StrictMode, useDeferredValue, useState } from "react";
import { createRoot } from "react-dom/client";

const url = import.meta.env["VITE_CATALOG_URL"] ?? "http://localhost:4000";
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: retryCatalogErrors, staleTime: 60_000 } },
});
// Without batches, each request is a GET that browsers and CDNs cache.
const client = createCatalogClient({ url, batch: false });
const trpc = createTRPCOptionsProxy<CatalogRouter>({ client, queryClient });
const country = "DE";

function Storefront() {
  const [title, setTitle] = useState("");
  const [page, setPage] = useState(1);
  const [offerId, setOfferId] = useState<string>();
  const limit = 12;
  const search = { title: useDeferredValue(title), offerType: "BASE_GAME", country, page, limit };
  const { data, error } = useQuery(
    trpc.search.searchOffers.queryOptions(search, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <input
        type="search"
        aria-label="Title"
        value={title}
        onChange={({ target }) => {
          setTitle(target.value);
          setPage(1);
        }}
      />
      {error && <p role="alert">{error.message}</p>}
      <p role="status">{data ? `${data.total} games` : "Loading"}</p>
      <ul>
        {data?.offers.map((offer) => (
          <li key={offer.id}>
            <button onClick={() => setOfferId(offer.id)}>{offer.title}</button>{" "}
            {offer.price && <Price {...offer.price.price} />}
          </li>
        ))}
      </ul>
      <button disabled={page === 1} onClick={() => setPage(page - 1)}>
        Previous
      </button>
      <button disabled={!data || page * limit >= data.total} onClick={() => setPage(page + 1)}>
        Next
      </button>
      {offerId !== undefined && <Offer id={offerId} />}
    </>
  );
}

function Offer({ id }: { id: string }) {
  const { data, error } = useQuery(trpc.catalog.getOfferOverview.queryOptions({ id, country }));
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <article>
      <h1>{data?.offer.title}</h1>
      <p>{data?.offer.description}</p>
      <p>{data?.genres.map(({ name }) => name).join(", ")}</p>
    </article>
  );
}

interface PriceProps {
  currencyCode: string;
  currencyDecimals: number;
  originalPrice: number;
  discountPrice: number;
}

function Price({ originalPrice, discountPrice, ...currency }: PriceProps) {
  const format = (amount: number) => formatMoney({ amount, ...currency }, navigator.language);
  return (
    <>
      {discountPrice < originalPrice && <s>{format(originalPrice)}</s>}{" "}
      <strong>{discountPrice === 0 ? "Free" : format(discountPrice)}</strong>
    </>
  );
}

const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Storefront />
    </QueryClientProvider>
  </StrictMode>,
);
