# SPDX-License-Identifier: GPL-3.0-or-later
"""Over TLS: certificates are looked at, and a silent connection can be left all the same."""

from __future__ import annotations

import ssl
import subprocess
import threading
import time
from pathlib import Path
from shutil import which

import pytest
from model_clients import FakeClock, question
from model_server import ModelServer, Step
from plumbline.addon.agent.providers.base import Cancel, Cancelled, ProviderError
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.limiter import Limiter

pytest.importorskip("anthropic")
pytest.importorskip("openai")
pytestmark = pytest.mark.skipif(which("openssl") is None, reason="no openssl to make a certificate")

NAMES = ("anthropic/m", "openai/m")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, Path]:
    """A certificate for ``localhost`` that vouches for itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-out", str(certificate)]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return certificate, key


@pytest.fixture
def serve(certificate):
    """Serve a script over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return lambda script: ModelServer(script, tls=context)


def provider(name: str, server: ModelServer):
    address = server.url.replace("127.0.0.1", "localhost")
    address += "/v1" if name.startswith("openai") else ""
    return provider_for(name, base_url=address, key="k", clock=FakeClock(), limiter=Limiter())


@pytest.mark.parametrize("name", NAMES)
def test_a_stranger_is_not_asked(name, serve):
    with serve(["never"]) as server, pytest.raises(ProviderError) as caught:
        provider(name, server).complete(question(), Cancel())
    assert caught.value.fault == "unreachable" and "can't be trusted" in str(caught.value)
    assert "SSL_CERT_FILE" in str(caught.value) and server.requests == []


def trusting(name: str, server: ModelServer, certificate: Path, monkeypatch):
    """A provider that was told to trust the certificate, as one behind a proxy is."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return provider(name, server)


@pytest.mark.parametrize("name", NAMES)
def test_whom_we_are_told_to_trust_is_asked(name, serve, certificate, monkeypatch):
    with serve(["fine"]) as server:
        trusted = trusting(name, server, certificate[0], monkeypatch)
        assert trusted.complete(question(), Cancel()).text == "fine"


@pytest.mark.parametrize("name", NAMES)
def test_a_silent_stream_is_left(name, serve, certificate, monkeypatch):
    arrived = threading.Event()
    cancel = Cancel()

    def answer(_):
        arrived.set()
        return Step("A sentence that stops.", trouble="hang")

    def ask() -> None:
        with pytest.raises(Cancelled):
            trusted.complete(question(), cancel)

    with serve(answer) as server:
        trusted = trusting(name, server, certificate[0], monkeypatch)
        thread = threading.Thread(target=ask)
        thread.start()
        assert arrived.wait(60)
        cancel.request()
        thread.join(60)
        limit = time.monotonic() + 30
        while server.running and time.monotonic() < limit:
            time.sleep(0.01)
        assert server.running == 0
    assert not [t for t in threading.enumerate() if t.name == "plumbline model"]
