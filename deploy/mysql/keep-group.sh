#!/usr/bin/env bash
# Forms the replication group of MEMBERS (host:port, separated by spaces) and maintains it. Restarted members rejoin. After a
# stop of all members it starts the group from the member with the most transactions. It may be stopped and started at any time.
# Files with passwords: MYSQL_ROOT_PASSWORD_FILE; MYSQL_PASSWORD_FILE (of the user kalends, which serves);
# MYSQL_MIGRATE_PASSWORD_FILE (of kalends_migrate, which alters the schema); MYSQL_ROUTER_PASSWORD_FILE.
set -euo pipefail

read -ra members <<<"${MEMBERS:?}"
folder=$(dirname "$0")
MYSQL_PWD=$(<"${MYSQL_ROOT_PASSWORD_FILE:?}")
export MYSQL_PWD

main() {
  while true; do
    keep || say 'not now: once more in a moment'
    sleep 2
  done
}

# Called with `||`, so `set -e` does not work inside: a step that must not fail is followed by `|| return`.
keep() {
  local first member
  if ! find_primary; then
    first=$(most_advanced) || return
    say "$first starts the group"
    bootstrap "$first" || return
    find_primary || return
  fi
  prepare "$primary" || return
  for member in "${members[@]}"; do
    case $(state "$member") in
      OFFLINE | ERROR) join "$member" || say "$member cannot join yet" ;;
    esac
  done
  register
}

# Sets `primary` to the primary of a group that has a majority.
find_primary() {
  local member
  for member in "${members[@]}"; do
    primary=$(on "$member" "
      SELECT CONCAT(p.member_host, ':', p.member_port)
      FROM performance_schema.replication_group_members p
      WHERE p.member_role = 'PRIMARY' AND p.member_state = 'ONLINE'
        AND (SELECT SUM(member_state = 'ONLINE') * 2 > COUNT(*) AND SUM(member_id = @@server_uuid AND member_state = 'ONLINE')
             FROM performance_schema.replication_group_members)") || continue
    [[ -n $primary ]] && return
  done
  return 1
}

# Prints the member that has all transactions of all members. All members must answer, and none may be in a group.
most_advanced() {
  local -A gtids
  local member other
  for member in "${members[@]}"; do
    case $(state "$member") in
      OFFLINE | ERROR) gtids[$member]=$(transactions "$member") || return ;;
      '') say "waiting for $member" && return 1 ;;
      *) say "waiting for what becomes of $member" && return 1 ;;
    esac
  done
  for member in "${members[@]}"; do
    for other in "${members[@]}"; do
      [[ $(on "$member" "SELECT GTID_SUBSET('${gtids[$other]}', '${gtids[$member]}')") == 1 ]] || continue 2
    done
    echo "$member" && return
  done
  say 'each member has transactions that another one misses: somebody has to choose'
  return 1
}

# Prints OFFLINE, RECOVERING, ONLINE or ERROR, or nothing if the server does not answer.
state() {
  on "$1" "
    SELECT COALESCE(
      (SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid), 'OFFLINE')" || true
}

# Prints the transactions that a member has executed, and those that it has received but not executed yet.
transactions() {
  on "$1" "
    SELECT REPLACE(CONCAT_WS(',', NULLIF(@@gtid_executed, ''),
      (SELECT NULLIF(received_transaction_set, '') FROM performance_schema.replication_connection_status
       WHERE channel_name = 'group_replication_applier')), '\n', '')"
}

bootstrap() {
  local outcome=0
  on "$1" 'STOP GROUP_REPLICATION; SET GLOBAL group_replication_bootstrap_group = ON' || return
  start "$1" || outcome=$?
  on "$1" 'SET GLOBAL group_replication_bootstrap_group = OFF'
  return "$outcome"
}

join() {
  say "$1 joins"
  on "$1" 'STOP GROUP_REPLICATION' && start "$1"
}

start() {
  on "$1" "START GROUP_REPLICATION USER = 'root', PASSWORD = $(quoted "$MYSQL_PWD")"
}

# Creates databases and users once, on the first primary. The view `schema_version` is created last, so it marks completion.
prepare() {
  [[ $(on "$1" "
    SELECT COUNT(*) FROM information_schema.views
    WHERE table_schema = 'mysql_innodb_cluster_metadata' AND table_name = 'schema_version'") == 0 ]] || return 0
  say "making databases and users on $1"
  on "$1" "
    CREATE DATABASE IF NOT EXISTS kalends;
    CREATE USER IF NOT EXISTS kalends IDENTIFIED BY $(quoted "$(<"${MYSQL_PASSWORD_FILE:?}")");
    GRANT SELECT, INSERT, UPDATE, DELETE ON kalends.* TO kalends;
    CREATE USER IF NOT EXISTS kalends_migrate IDENTIFIED BY $(quoted "$(<"${MYSQL_MIGRATE_PASSWORD_FILE:?}")");
    GRANT ALL ON kalends.* TO kalends_migrate;
    CREATE USER IF NOT EXISTS router IDENTIFIED BY $(quoted "$(<"${MYSQL_ROUTER_PASSWORD_FILE:?}")");
    $(<"$folder/router.sql")"
}

# Registers members that the router does not know.
register() {
  on "$primary" "
    REPLACE INTO mysql_innodb_cluster_metadata.instances (address, server_uuid)
    SELECT CONCAT(member_host, ':', member_port), member_id FROM performance_schema.replication_group_members
    WHERE (CONCAT(member_host, ':', member_port), member_id) NOT IN
      (SELECT address, server_uuid FROM mysql_innodb_cluster_metadata.instances)"
}

# Runs SQL as root, with a timeout. SQL is passed by standard input, because other users can read arguments.
on() {
  timeout 60 mysql --no-defaults --host="${1%:*}" --port="${1#*:}" --user=root --connect-timeout=3 --batch --skip-column-names <<<"$2"
}

quoted() {
  local text=${1//\\/\\\\}
  printf "'%s'" "${text//\'/\'\'}"
}

say() {
  echo "keep-group: $*" >&2
}

main
