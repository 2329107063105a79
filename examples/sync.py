#!/usr/bin/env python3
"""Copies all offers, and their prices in one country, into SQLite. Each further run applies what has changed since."""

import argparse
import gzip
import json
import sqlite3
import time
from datetime import timedelta
from email.utils import parsedate_to_datetime
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--url", default="http://localhost:4000", help="address of the gateway")
parser.add_argument("--file", default="catalogue.db", help="the copy; default catalogue.db")
parser.add_argument("--country", default="US", help="two letters; default US")
options = parser.parse_args()


def get(path, **parameters):
    """The JSON of a GET and the server's time. Retries while a service is unavailable or the rate limit is reached."""
    request = Request(f"{options.url}{path}?{urlencode(parameters)}", headers={"Accept-Encoding": "gzip"})
    for attempt in range(6):
        try:
            with urlopen(request, timeout=30) as response:
                body, headers = response.read(), response.headers
            # With this header a null price may be a missing one.
            if "Catalog-Degraded" not in headers:
                body = gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body
                return json.loads(body), parsedate_to_datetime(headers["Date"])
            wait = 2**attempt
        except HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                raise
            wait = int(error.headers["Retry-After"] or 2**attempt)
        time.sleep(wait)
    raise SystemExit(f"{path} is unavailable")


def sync(db, state):
    """Applies what follows `state` and returns the next one. An empty parameter counts as absent."""
    regions, now = get("/regions")
    region = next(each["region"] for each in regions if options.country in each["countries"])
    # Writes show up a moment after their time.
    now = (now - timedelta(minutes=1)).isoformat()
    if state is None:
        newest, _ = get("/changelist", limit=1)
        state = {"entry": newest[0]["_id"] if newest else "", "change": "", "begun": now, "listed": ""}

    # Deletions, which only the changelog has. They come first: a deleted offer may have come back.
    entries = [None] * 50
    while len(entries) == 50:
        since = "" if state["entry"] else "1970-01-01"
        entries, _ = get("/changelist", after=state["entry"], since=since, limit=50)
        for entry in entries:
            state["entry"], metadata = entry["_id"], entry["metadata"]
            whole = [change["changeType"] for change in metadata["changes"] if change["field"] == "*"]
            if metadata["contextType"] == "offer" and "delete" in whole:
                db.execute("delete from offer where id = ?", [metadata["contextId"]])

    # New and changed offers, each with its price.
    after = ""
    while after is not None:
        query = {"country": options.country, "updatedSince": state["listed"], "limit": 200}
        page, _ = get("/offers", after=after, **query)
        for offer in page["offers"]:
            row = offer["id"], json.dumps(offer.pop("price")), json.dumps(offer)
            db.execute("replace into offer (id, price, offer) values (?, ?, ?)", row)
        after = page["next"]
    state["listed"] = now

    # Price changes, including those since the offers were listed.
    before = None
    while before != state["change"]:
        before = state["change"]
        since = "" if before else state["begun"]
        page, _ = get("/price-changes", region=region, after=before, since=since, limit=500)
        for change in page["elements"]:
            row = json.dumps(change["price"]), change["offerId"]
            db.execute("update offer set price = ? where id = ?", row)
        state["change"] = page["next"] or ""
    return state


# One transaction: a run that fails changes nothing.
with sqlite3.connect(options.file) as db:
    db.execute("create table if not exists offer (id text primary key, price text, offer text)")
    db.execute("create table if not exists run (country text, state text)")
    last = db.execute("select state from run where country = ?", [options.country]).fetchone()
    try:
        state = sync(db, json.loads(last[0])) if last else None
    except HTTPError as error:
        if error.code != 404:
            raise
        # The logs no longer reach back to the last run.
        state = None
    if state is None:
        db.execute("delete from offer")
        state = sync(db, None)
    db.execute("delete from run")
    db.execute("insert into run values (?, ?)", [options.country, json.dumps(state)])
    print(*db.execute("select count(*) from offer").fetchone(), "offers")
