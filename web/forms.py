"""What a browser sends: the fields of a form, read within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

#: How many bytes and fields a form has at most, and for how many seconds it is waited for.
LARGEST, FIELDS, PATIENCE = 65_536, 200, 10.0
FORM = "application/x-www-form-urlencoded"


class FormError(Exception):
    """A form that is none: `status` says why."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(status)


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a form, of each the last; raises `FormError`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM and (kind or request.headers.get("content-length", "0") != "0"):
        raise FormError(415)
    try:
        body = await asyncio.wait_for(_body(request), PATIENCE)
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=FIELDS, errors="strict"))
    except TimeoutError:
        raise FormError(408) from None
    except ValueError:
        raise FormError(400) from None


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > LARGEST:
            raise FormError(413)
    return bytes(data)


def number(text: str | None, most: int) -> int:
    """A number from 0 to a greatest one; raises `FormError` for anything else."""
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 12 or int(text) > most:
        raise FormError(400)
    return int(text)
