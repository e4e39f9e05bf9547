"""pytest: a sender of webhooks against the receiver, which runs as a process of its own."""

import hashlib
import hmac
import json
import os
import shlex
import subprocess
import urllib.error
import urllib.request

import pytest

RECEIVER = shlex.split(os.environ.get("WAYBILL_RECEIVER", "node_modules/.bin/waybill-receiver"))
SECRET = "s3cret"


class Receiver:
    def __init__(self, opening):
        self.url, self.control = opening["url"], opening["control"]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control + path, data, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def script(self, text):
        self.ask("PUT", "/v1/script", {"script": text})

    def wait(self, count, within="10s"):
        return self.ask("GET", f"/v1/wait?count={count}&within={within}")["requests"]


@pytest.fixture(scope="session")
def running():
    flags = ["--json", "--port", "0", "--control-port", "0", "--secret", SECRET]
    with subprocess.Popen([*RECEIVER, *flags], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Receiver(json.loads(process.stdout.readline()))
        finally:
            process.terminate()


@pytest.fixture
def receiver(running):
    running.script("200")
    running.ask("POST", "/v1/reset")
    return running


def send(url, event, attempts=3):
    """Yours instead: it signs, and tries again what was not answered 2xx."""
    body = json.dumps(event).encode()
    signature = hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()
    headers = {"Content-Type": "application/json", "X-Signature": signature}
    for _ in range(attempts):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers)):
                return True
        except urllib.error.HTTPError:
            pass
    return False


EVENT = {"type": "track", "event": "Order Completed", "messageId": "m-1"}


def test_tries_again_until_it_is_answered(receiver):
    receiver.script("503x2,200")
    assert send(receiver.url, EVENT)
    requests = receiver.wait(count=3)
    assert [one["answer"]["said"] for one in requests] == ["503", "503", "200"]
    assert {one["signature"]["verdict"] for one in requests} == {"valid"}


def test_gives_up_after_three_attempts(receiver):
    receiver.script("500")
    assert not send(receiver.url, EVENT)
    assert [one["attempt"] for one in receiver.wait(count=3)] == [1, 2, 3]
