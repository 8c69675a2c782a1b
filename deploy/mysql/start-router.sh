#!/usr/bin/env bash
# Writes the files that MySQL Router needs, and starts it: the members (MEMBERS: host:port, separated by spaces), and a keyring
# with the password of its user (MYSQL_ROUTER_PASSWORD_FILE).
set -euo pipefail

folder=$(dirname "$0")
read -ra members <<<"${MEMBERS:?}"
servers=$(printf '"mysql://%s",' "${members[@]}")
rm -f /tmp/keyring /tmp/keyring-key
mysqlrouter_keyring init --master-key-file=/tmp/keyring-key /tmp/keyring
mysqlrouter_keyring set --master-key-file=/tmp/keyring-key /tmp/keyring router password <"${MYSQL_ROUTER_PASSWORD_FILE:?}" >/dev/null
echo '{"version": "1.0.0", "metadata-cache": {"group-replication-id": "", "cluster-metadata-servers": ['"${servers%,}"']}}' >/tmp/state.json
exec mysqlrouter --config "$folder/mysqlrouter.conf"
