#!/usr/bin/env python3
"""Keeps a copy of a calendar in an SQLite file, with Python's standard library alone.

    mirror.py http://localhost:3000/calendar/events/v1 copy.sqlite

Set TOKEN for more than what is public. With --once it ends when the copy is up to date. It may be killed at any time:
changes and token are stored in one transaction. docs/copies.md describes the loop.
"""
import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

WAIT_SECONDS = 50


class TokenExpired(Exception):
    """The copy must be filled again."""


class Api:
    def __init__(self, root, token):
        self.root, self.headers = root.rstrip("/"), {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path, query):
        url = f"{self.root}{path}?{urllib.parse.urlencode(query)}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=self.headers), timeout=70) as response:
                return json.load(response), int(response.headers.get("Retry-After", 0))
        except urllib.error.HTTPError as error:
            if error.code == 410:
                raise TokenExpired from error
            raise


class Copy:
    def __init__(self, path):
        self.file = sqlite3.connect(path)
        self.file.execute("CREATE TABLE IF NOT EXISTS records (type TEXT, id INTEGER, record TEXT, PRIMARY KEY (type, id))")
        self.file.execute("CREATE TABLE IF NOT EXISTS token (id INTEGER PRIMARY KEY, since TEXT)")

    def query(self):
        row = self.file.execute("SELECT since FROM token").fetchone()
        return {"since": row[0]} if row else {}

    def take(self, changes, since):
        with self.file:
            for change in changes:
                key = (change["type"], change["id"])
                if change["deleted"]:
                    self.file.execute("DELETE FROM records WHERE type = ? AND id = ?", key)
                else:
                    self.file.execute("REPLACE INTO records VALUES (?, ?, ?)", (*key, json.dumps(change["record"])))
            self.file.execute("REPLACE INTO token VALUES (1, ?)", (since,))

    def clear(self):
        with self.file:
            self.file.execute("DELETE FROM records")
            self.file.execute("DELETE FROM token")


def step(api, copy, wait):
    """Takes one answer into the copy. Returns whether there is more already."""
    query = {"per_page": 100, **copy.query()}
    if wait and "since" in query:
        query["wait"] = wait
    try:
        answer, pause = api.get("/changes", query)
    except TokenExpired:
        copy.clear()
        return True
    copy.take(answer["changes"], answer["next_since"])
    time.sleep(pause)
    return answer["has_more"]


def main(root, path, *options):
    api, copy, once = Api(root, os.environ.get("TOKEN")), Copy(path), "--once" in options
    while True:
        try:
            if not step(api, copy, 0 if once else WAIT_SECONDS) and once:
                return
        except (OSError, ValueError, http.client.HTTPException) as error:
            # The service restarts, or the network is away: the next request begins where the last one ended.
            print(error, file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: mirror.py URL FILE [--once]")
    main(*sys.argv[1:])
