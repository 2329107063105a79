# Varnish before the gateway, purged by `storefront purge`: docs/cdn.md. The gateway has CDN_TAG_HEADER=xkey.
vcl 4.1;

import xkey;

backend gateway {
  .host = "gateway";
  .port = "4000";
  # Nothing that a gateway began earlier may still come in: the last purge for a write is 15 s after it.
  .first_byte_timeout = 10s;
}

# Where `storefront purge` runs.
acl purgers {
  "127.0.0.1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403, "Forbidden"));
    }
    if (!req.http.xkey-purge) {
      return (synth(400, "No xkey-purge"));
    }
    set req.http.n-gone = xkey.purge(req.http.xkey-purge);
    return (synth(200, "Purged " + req.http.n-gone));
  }
  # A response depends on no other cookie. With this one it is for one client, and is passed.
  if (req.http.Cookie !~ "(^|;)\s*CATALOG_COUNTRY=") {
    unset req.http.Cookie;
  }
}

sub vcl_backend_response {
  # Stale responses are the gateway's matter, which knows what was written.
  set beresp.grace = 0s;
  # Of the request that was the first, not of those that get the response.
  unset beresp.http.X-Request-Id;
  unset beresp.http.Server-Timing;
}

sub vcl_deliver {
  # Caches beyond this one are not purged; and a browser would count the time here as its own.
  set resp.http.Cache-Control = regsub(resp.http.Cache-Control, ", s-maxage=\d+", "");
  if (resp.http.xkey) {
    unset resp.http.xkey;
    unset resp.http.Age;
  }
}
