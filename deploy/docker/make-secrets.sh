#!/usr/bin/env bash
# Makes the secrets of compose.yaml by chance, in secrets/ beside it; what is there already stays.
set -euo pipefail
cd "$(dirname "$0")"

mkdir -p secrets
chmod 700 secrets

write() { [ -e "secrets/$1" ] || { printf '%s\n' "$2" >"secrets/$1"; chmod 444 "secrets/$1"; }; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

write postgres_password "$(random)"
write ingest_token "$(random)"
write ingest_http_token "$(random)"
write admin_token "$(random)"
write typesense_api_key "$(random)"
write database_url "postgres://storefront:$(cat secrets/postgres_password)@postgres:5432/storefront"
