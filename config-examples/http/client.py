#!/usr/bin/env python3
"""Sends events to an upstream http and prints what became of each: written, not-written or unknown.

    TOKEN=secret client.py http://127.0.0.1:8090/events/orders 60 < events

A line of the input is an Idempotency-Key, a space and the event. The key belongs to the event: it is the same after a
restart of this program. An event is tried again for as many seconds as the second argument says.
"""

import http.client
import os
import re
import sys
import time
from urllib.parse import urlsplit

ANSWER_WITHIN_S = 5
TASK_HAS_NOT_WRITTEN = re.compile(rb'"error_code"\s*:\s*503\d\d\b')


def attempt(connection, path, headers, event):
    """One request: the status, or None without an answer, the body, and Retry-After in seconds or None."""
    if connection.sock is None:
        try:
            connection.connect()
        except OSError:
            return 0, b"no connection", None  # nothing was sent
    try:
        connection.request("POST", path, event, headers)
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException):
        connection.close()
        return None, b"no answer", None
    later = answer.getheader("Retry-After", "")
    return answer.status, body, int(later) if re.fullmatch(r"\d{1,6}", later) else None


def send(connection, path, headers, event, patience_s):
    end_s = time.monotonic() + patience_s
    unknown = False  # an attempt may have been written, whatever the later ones say
    pause_s = 0.1
    while True:
        status, body, wait_s = attempt(connection, path, headers, event)
        last = " ".join([str(status or ""), *body.decode(errors="replace").split()]).strip()
        if status == 200:
            return f"written {last}"
        if status and status < 500 and status not in (409, 429):
            return f"{'unknown' if unknown else 'not-written'} {last}"
        # A proxy has 503s of its own, some of them for requests that a task has seen.
        if status not in (0, 429) and not TASK_HAS_NOT_WRITTEN.search(body):
            unknown = True
        wait_s = pause_s if wait_s is None else wait_s
        if time.monotonic() + wait_s > end_s:
            return f"{'unknown' if unknown else 'not-written'} {last}"
        time.sleep(wait_s)
        pause_s = min(2 * pause_s, 5)


def main(url, patience_s):
    url = urlsplit(url)
    path = url.path + ("?" + url.query if url.query else "")
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    # One second more than the task has: its own answer says more than a closed connection.
    connection = kind(url.hostname, url.port, timeout=ANSWER_WITHIN_S + 1)
    headers = {"Content-Type": "application/json", "X-Request-Timeout-Ms": str(1000 * ANSWER_WITHIN_S)}
    if "TOKEN" in os.environ:
        headers["Authorization"] = "Bearer " + os.environ["TOKEN"]
    for line in sys.stdin.buffer:
        key, event = line.rstrip(b"\n").split(b" ", 1)
        headers["Idempotency-Key"] = key.decode("ascii")
        print(key.decode("ascii"), send(connection, path, headers, event, patience_s), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
