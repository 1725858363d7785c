"""Parsing of submitted forms, with size and time limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

#: Maximum number of bytes and of fields of a form, and timeout in seconds.
MAX_FORM_BYTES, MAX_FORM_FIELDS, FORM_TIMEOUT_S = 65_536, 200, 10.0
FORM = "application/x-www-form-urlencoded"


class FormError(Exception):
    """An invalid form; `status` is the HTTP status."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(status)


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form; of repeated ones the last.

    Raises `FormError`.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM and (kind or request.headers.get("content-length", "0") != "0"):
        raise FormError(415)
    try:
        body = await asyncio.wait_for(_body(request), FORM_TIMEOUT_S)
        return dict(
            parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS, errors="strict")
        )
    except TimeoutError:
        raise FormError(408) from None
    except ValueError:
        raise FormError(400) from None


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > MAX_FORM_BYTES:
            raise FormError(413)
    return bytes(data)


def parse_number(text: str | None, most: int) -> int:
    """Parse a number from 0 to `most`.

    Raises `FormError` for anything else.
    """
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 12 or int(text) > most:
        raise FormError(400)
    return int(text)
