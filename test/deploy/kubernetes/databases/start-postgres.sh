#!/bin/bash
# Makes the database on the first start, then becomes the server; parameters are its own.
set -euo pipefail
data=/var/lib/postgresql/data
if [ ! -e "$data/PG_VERSION" ]; then
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  pg_ctl --pgdata="$data" --options="-c listen_addresses=''" --wait start >/dev/null
  createdb --host=/var/run/postgresql --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  pg_ctl --pgdata="$data" --wait stop >/dev/null
fi
exec postgres -D "$data" -c listen_addresses='*' "$@"
