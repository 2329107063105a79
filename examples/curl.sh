#!/usr/bin/env bash
# The catalogue by curl and jq: a search, an offer, a saved query, changes.
# Usage: bash examples/curl.sh [URL of the gateway]
set -euo pipefail
url=${1:-http://localhost:4000}

# Fails on an error and shows its body. 408, 429 and 5xx are retried, as Retry-After says.
get() { curl -sS --fail-with-body --compressed --retry 3 "$@"; }
post() { get -H 'content-type: application/json' "$@"; }

echo "Games with a price in Germany, most reduced first"
search='{"offerType":"BASE_GAME","price":{"min":1},"sortBy":"discountPercent","limit":5}'
found=$(post "$url/search/v2/search?country=DE" -d "$search")
# Amounts are in the currency's smallest unit: 1999 with 2 decimals is 19.99.
jq -r '.offers[] | .price.price as $p
  | "\($p.discountPrice / pow(10; $p.currencyDecimals)) \($p.currencyCode)\t-\($p.percentOff) %\t\(.title)"' <<<"$found"

id=$(jq -r '.offers[0].id' <<<"$found")
echo "The first one, and the lowest price it has had"
get "$url/offers/$id/overview?country=DE&lows=true" |
  jq '{title: .offer.title, genres: [.genres[].name], price: .price.price, lowest: .price.lows.ever}'

echo "Only if it has changed"
etags=$(mktemp) && trap 'rm -f "$etags"' EXIT
get -o /dev/null --etag-save "$etags" "$url/offers/$id"
get -o /dev/null --etag-compare "$etags" -w '%{http_code}\n' "$url/offers/$id" # 304

echo "The search as a saved query, for feed readers"
query=$(post "$url/queries" -d "$(jq 'del(.limit)' <<<"$search")" | jq -r .id)
get "$url/queries/$query/count?country=DE" | jq '{total, priceRange}'
echo "$url/queries/$query/feed.atom?country=DE"

echo "The two newest changes, then the stream after the older one"
changes=$(get "$url/changelist?limit=2")
jq -c '.[] | {_id, timestamp, title: .metadata.context.title}' <<<"$changes"
# The stream has no end: grep leaves it after the first change.
stream="$url/changelist/stream?after=$(jq -r '.[1]._id' <<<"$changes")"
grep -m 1 '^data: ' < <(curl -sN "$stream") | cut -c 7- | jq -c '{_id, timestamp}'

echo "An error"
curl -sS "$url/offers/unknown" | jq -r '"\(.error): \(.message)"'
