#!/usr/bin/env python3
"""Receives webhooks with Python's standard library alone.

    WEBHOOK_SECRET=whsec_… PORT=8000 python3 receiver.py
"""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_"))
MAX_BODY_BYTES = 1_000_000
# Older messages may be recordings that somebody sends again.
MAX_AGE_SECONDS = 300
# The last position of each record that was handled. A program that may restart keeps it in its database.
positions = {}


def is_genuine(headers, body):
    """Whether one of the signatures is ours, and the message is not old."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in given)


def handle(message):
    """Messages come at least once, in any order: only the newest change of a record counts."""
    data = message["data"]
    if message["type"] == "webhook.test":
        print(message["type"], flush=True)
        return
    record = (data["type"], data["id"])
    if data["position"] <= positions.get(record, 0):
        return
    positions[record] = data["position"]
    print(message["type"], data["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        if size > MAX_BODY_BYTES:
            return self.answer(413)
        # The signature covers the bytes, so they are checked before they are parsed.
        body = self.rfile.read(size)
        if not is_genuine(self.headers, body):
            return self.answer(401)
        handle(json.loads(body))
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        """Writes no line for each request."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()
