"""Addresses of other machines are told as such wherever a path is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.addresses import kind_of_address, refuse_stores, remote_problem
from jatdae.core.errors import UsageError
from jatdae.core.messages import os_problem


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("s3://mine/a.jsonl", "bucket"), ("S3://mine/a", "bucket"), (str(Path("gs://mine/a")), "bucket"),
        ("hf://datasets/a", "hub"), ("https://example.org/a", "web"), ("C:/a", None), ("a.jsonl", None), ("s3:", None),
        ("", None), ("s3", None), ("a/s3://b", None),
    ],
)  # fmt: skip
def test_an_address_is_told_by_its_scheme(given: str, kind: str | None) -> None:
    assert kind_of_address(given) == kind
    assert bool(remote_problem(given)) == (kind is not None)


@pytest.mark.parametrize("argument", ["s3://mine/a", "--schema=hf://mine/a", "small=gs://mine/a"])
def test_an_argument_that_is_an_address_of_a_store_is_refused(argument: str) -> None:
    with pytest.raises(UsageError, match="not read or written yet"):
        refuse_stores(argument)


@pytest.mark.parametrize("argument", ["a.jsonl", "--base-url=http://localhost:8000/v1", "cer=0.05", "-", "="])
def test_other_arguments_pass(argument: str) -> None:
    refuse_stores(argument)


def test_a_file_that_cannot_be_opened_because_it_is_an_address_is_told_so() -> None:
    for address, said in (("s3://mine/a", "object stores"), ("hf://a/b", "Hub"), ("https://a.org/b", "web addresses")):
        with pytest.raises(FileNotFoundError) as error:
            Path(address).read_text("utf-8")
        assert said in os_problem(error.value)
