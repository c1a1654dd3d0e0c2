"""Fuzzes the native kernels: a build with AddressSanitizer and UndefinedBehaviorSanitizer, driven beside the twins.

    python fuzz/kernels.py [--seed 0] [--cases edit=8000 texts=5000 tree=5000] [--only tree:17]

The kernels are built into build/fuzz with g++. A child process loads that build and gives it a seeded stream of random
and hostile input. A report of a sanitizer, a crash, or an answer that differs from the twin's ends it with status 1 and
names the case, which `--only` repeats. The number of cases is fixed, so the same seed gives the same run anywhere.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "fuzz"
LAST_CASE = BUILD / "last_case"
KERNELS = ROOT / "src" / "jatdae" / "kernels"
CASES = {"edit": 8000, "texts": 5000, "tree": 5000}
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
MOST_STEPS = 10**9


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", nargs="+", default=[], metavar="KERNEL=N", help="how many cases of each kernel")
    parser.add_argument("--only", metavar="KERNEL:N", help="run this case alone")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    counts = CASES | {name: int(count) for name, _, count in (each.partition("=") for each in options.cases)}
    if options.child:
        return drive(options.seed, counts, options.only)
    build()
    child = subprocess.run([sys.executable, __file__, *sys.argv[1:], "--child"], env=environment(), check=False)
    if child.returncode == 0:
        print("fuzz: passed")
        return 0
    case = LAST_CASE.read_text() if LAST_CASE.exists() else "before the first case"
    print(f"fuzz: FAILED at {case}; repeat it with: python fuzz/kernels.py --seed {options.seed} --only {case}")
    return 1


def build() -> None:
    """Compile nanobind and each kernel with the sanitizers, two at a time; what is newer than its sources stays."""
    import nanobind

    BUILD.mkdir(parents=True, exist_ok=True)
    source = Path(nanobind.source_dir())
    includes = [nanobind.include_dir(), str(source.parent / "ext/robin_map/include"), sysconfig.get_path("include")]
    flags = ["-std=c++17", "-O1", "-g", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", *SANITIZERS]
    flags += [f"-I{path}" for path in includes]
    library = BUILD / "nanobind.o"
    jobs = [(library, source / "nb_combined.cpp", ["-DNDEBUG", "-DNB_BUILD"], [source / "nb_combined.cpp"])]
    jobs += [(BUILD / f"{name}.o", KERNELS / f"{name}.cpp", [], sorted(KERNELS.glob("*.?pp"))) for name in CASES]

    def compile_one(job: tuple[Path, Path, list[str], list[Path]]) -> None:
        made, file, own, sources = job
        if not is_newer(made, sources):
            subprocess.run(["g++", *flags, *own, "-c", str(file), "-o", str(made)], check=True)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, jobs))
    for name in CASES:
        objects = [BUILD / f"{name}.o", library]
        if not is_newer(module_path(name), objects):
            subprocess.run(
                ["g++", "-shared", *SANITIZERS, *map(str, objects), "-o", str(module_path(name))], check=True
            )


def is_newer(made: Path, sources: list[Path]) -> bool:
    return made.exists() and made.stat().st_mtime > max(source.stat().st_mtime for source in sources)


def module_path(name: str) -> Path:
    return BUILD / f"_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"


def environment() -> dict[str, str]:
    """The environment of the child: Python is not instrumented, so the sanitizer has to be loaded before it.

    So does the C++ library, whose exceptions it intercepts. Leaks are not looked for, because the interpreter does not
    free everything at its end, and each kernel has its own copy of nanobind, which would count as a double definition.
    Python allocates by malloc, so that AddressSanitizer sees the bounds of Python's objects too.
    """
    libraries = [
        subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so.6")
    ]
    return os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:detect_odr_violation=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }


def drive(seed: int, counts: dict[str, int], only: str | None) -> int:
    """Run all cases, or one; returns the exit status."""
    from jatdae.kernels import edit_twin, texts_twin, tree_twin

    checks: dict[str, tuple[Callable[..., None], ModuleType]] = {
        "edit": (check_edit, edit_twin),
        "texts": (check_texts, texts_twin),
        "tree": (check_tree, tree_twin),
    }
    wanted, _, number = (only or "").partition(":")
    for name, (check, twin) in checks.items():
        if only and name != wanted:
            continue
        native = load(name)
        for case in [int(number)] if only else range(counts[name]):
            LAST_CASE.write_text(f"{name}:{case}")  # to be read after a crash
            try:
                check(native, twin, random.Random(f"{seed} {name} {case}"))
            except AssertionError as error:
                print(f"the native kernel differs from its twin: {error}")
                return 1
        print(f"{name}: {1 if only else counts[name]} cases")
    return 0


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"jatdae.kernels._{name}", module_path(name))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Both give equal results, or both raise the same error."""
    found, expected = outcome(ours), outcome(theirs)
    assert found == expected, f"{what}: {found!r:.300} is not {expected!r:.300}"


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


# ---- edit: texts of every width, lists of items, sizes around words, stripes and cuts ----

ALPHABETS = ["ab", "abcdefgh ", "aé", "가나다라 .", "a가😀\ud800\u0301", "".join(map(chr, range(0x20, 0x250)))]
SIZES = [0, 1, 2, 9, 10, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513]
ITEMS: list[Any] = ["the", "cat", "고양이", "", 0, 1, True, 1.0, -1, None, (), ("a", 1), 2**70, frozenset({1})]


def check_edit(native: Any, twin: Any, draw: random.Random) -> None:
    prediction, reference = edit_pair(draw)
    same("runs", lambda: native.runs(prediction, reference), lambda: twin.runs(prediction, reference))
    limited = prediction, reference, draw.choice([sys.maxsize, 10**6, 10**4, 100, 0])
    same("counts", lambda: native.counts(*limited), lambda: twin.counts(*limited))


def edit_pair(draw: random.Random) -> tuple[Any, Any]:
    shape = draw.random()
    if shape < 0.02:  # not to be aligned at all
        bad = draw.choice([None, 5, [[]], [{}], object(), ["a", []]])
        return draw.choice([(bad, "ab"), ("ab", bad), (bad, bad), ([bad], ["a"])])
    if shape < 0.05:
        return meddling_pair(draw)
    alphabet = draw.choice(ALPHABETS)
    if shape < 0.08:  # so long, or so unequal, that the text is cut
        size, other = draw.choice([(4000, 4000), (20_000, 20_000), (65, 70_000), (70_000, 66), (40_000, 11)])
        reference = text(draw, alphabet, size)
        alike = size == other
        return (edited(draw, reference, alphabet, draw.choice([0.0, 0.001, 0.03])) if alike else text(
            draw, alphabet, other), reference)  # fmt: skip
    size = draw.choice(SIZES) if draw.random() < 0.5 else draw.randrange(400)
    if shape < 0.75:
        reference = text(draw, alphabet, size)
        if draw.random() < 0.3:
            return text(draw, draw.choice(ALPHABETS), draw.choice(SIZES)), reference
        return edited(draw, reference, alphabet, draw.choice([0.0, 0.05, 0.3, 0.9])), reference
    items = draw.sample(ITEMS, draw.randint(1, len(ITEMS)))
    pair = [draw.choices(items, k=draw.randrange(200)) for _ in range(2)]
    if draw.random() < 0.2:
        return tuple(pair[0]), text(draw, alphabet, size)
    return pair[0], pair[1]


def text(draw: random.Random, alphabet: str, size: int) -> str:
    return "".join(draw.choices(alphabet, k=size))


def edited(draw: random.Random, given: str, alphabet: str, rate: float) -> str:
    """The text with every character, with probability `rate`, replaced by none, one or two others."""
    return "".join(c if draw.random() >= rate else text(draw, alphabet, draw.randint(0, 2)) for c in given)


def meddling_pair(draw: random.Random) -> tuple[Any, Any]:
    """An item whose hash moves the list it is in to other memory while that list is being read."""
    items: list[Any] = draw.choices("abc", k=draw.randint(1, 60))

    class Meddler:
        def __hash__(self) -> int:
            kept[:] = items * 50
            kept[:] = items
            return 7

        def __eq__(self, other: object) -> bool:
            return self is other

    items.insert(draw.randrange(len(items)), Meddler())
    kept = list(items)
    return kept, draw.choices("abc", k=draw.randint(1, 60))


# ---- tree: any shape, near pairs, extreme shapes, texts and token lists, input that is no tree ----

TEXTS: list[Any] = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "bca",
    "abcabca",
    "cbacbacba",
    "ab" * 40,
    "ba" * 45,
    "가나다",
    "가나다라 😀",
]
COSTS = [(1.0, 1.0, 1.0)] * 4 + [(0.7, 0.3, 1.1), (2.0, 0.1, 0.1), (1.0, 0.0, 1.0), (0.5, 0.0, 0.0), (0.0, 1.0, 1.0)]
COSTS += [(1e300, 1e300, 1e300), (1e-300, 1e-300, 1e-300), (1.0, 1e18, 1e-18)]
BAD_NUMBERS: list[Any] = [-2, -1, 0, 1, 10**6, 2**31 - 1, 2**31, 2**40, 2**70, -(2**40), 0.5, None, "a"]


def check_texts(native: Any, twin: Any, draw: random.Random) -> None:
    import numpy as np

    alphabet = draw.choice(ALPHABETS)
    ours, theirs = (
        [text(draw, alphabet, draw.choice([0, 3, 15, 63, 64, 65])) for _ in range(draw.choice([0, 1, 4, 13]))]
        for _ in range(2)
    )
    for each in (*ours, *theirs):
        same("look", lambda each=each: native.look(each), lambda each=each: twin.look(each))
    rows = draw.sample(range(len(ours) + 2), len(ours))
    pairs = [(at, other) for at in range(len(ours)) for other in range(len(theirs)) if draw.random() < 0.05]
    found, expected = np.zeros((len(ours) + 2, len(theirs))), np.zeros((len(ours) + 2, len(theirs)))
    if native.add(found, rows, ours, theirs, pairs):
        twin.add(expected, rows, ours, theirs, pairs)
    assert found.tobytes() == expected.tobytes(), f"similarities of {ours!r:.200} and {theirs!r:.200}"
    bad = [draw.choice([-1, 0, 1, len(ours), 2**62]) for _ in range(draw.randrange(4))]
    outcome(lambda: native.add(found, bad, ours, theirs, [(at, at) for at in bad]))  # refused or not, no harm is done


def check_tree(native: Any, twin: Any, draw: random.Random) -> None:
    shape = draw.random()
    if shape < 0.1:
        return check_what_is_no_tree(native, twin, draw)
    texts = texts_for(draw)
    a = tree(draw, texts, draw.choice([1, 2, 5, 12, 12, 24]))
    b = changed(draw, a, texts) if draw.random() < 0.5 else tree(draw, texts, draw.choice([1, 3, 8, 16, 24]))
    if shape < 0.2:
        a, b = (extreme(draw, texts) for _ in range(2))
    cost = draw.choice(COSTS)
    same("distance", *(lambda k=k: k.distance(a, b, texts, *cost, MOST_STEPS) for k in (native, twin)))
    same("mapping", *(lambda k=k: k.mapping(a, b, texts, *cost, MOST_STEPS) for k in (native, twin)))
    limit = draw.choice(
        [-1, 0, 1, 10, 300, 10_000]
    )  # given up or not, no harm may be done; the twins count differently
    native.distance(a, b, texts, *cost, limit)
    native.mapping(a, b, texts, *cost, limit)
    return None


def texts_for(draw: random.Random) -> list[Any]:
    """Texts that nodes point to: a few, many short ones (measured eight at once), or token lists; rarely a long one."""
    kind = draw.random()
    if kind < 0.5:
        return list(TEXTS)
    if kind < 0.8:
        alphabet = draw.choice(ALPHABETS[:4])
        found: list[Any] = [text(draw, alphabet, draw.choice([0, 3, 8, 15, 16, 17, 64, 65])) for _ in range(60)]
        if draw.random() < 0.1:
            found[0] = "x" * 70_000
        return found
    return [
        [draw.choice([0, 1, 2, 255, 256, 0x110000, 2**32 - 1]) for _ in range(draw.randrange(20))] for _ in range(30)
    ]


def tree(draw: random.Random, texts: list[Any], most: int) -> Any:
    """Each node hangs on the last one or on one of those above it."""
    parents = [-1]
    for _ in range(draw.randrange(most)):
        parent = len(parents) - 1
        for _ in range(draw.randrange(5)):
            parent = max(parents[parent], 0)
        parents.append(parent)
    return labelled(draw, parents, texts)


def labelled(draw: random.Random, parents: list[int], texts: list[Any]) -> Any:
    from jatdae.kernels.tree import Tree

    count = len(parents)
    places = [draw.randrange(-1, len(texts)) for _ in range(count)]
    return Tree(parents, [draw.randrange(3) for _ in range(count)], places if draw.random() < 0.9 else [])


def changed(draw: random.Random, a: Any, texts: list[Any]) -> Any:
    """A tree with the same shape but for its last nodes, and mostly the same labels."""
    from jatdae.kernels.tree import Tree

    keep = draw.randint(max(1, len(a.parents) - 3), len(a.parents))
    kinds = [draw.randrange(3) if draw.random() < 0.1 else kind for kind in a.kinds[:keep]]
    places = [draw.randrange(-1, len(texts)) if draw.random() < 0.1 else text for text in a.texts[:keep]]
    return Tree(list(a.parents[:keep]), kinds, places)


def extreme(draw: random.Random, texts: list[Any]) -> Any:
    count = draw.randint(2, 40)
    chain, star = list(range(-1, count - 1)), [-1, *[0] * (count - 1)]
    comb = [-1, *(node - 1 - (node % 2 == 0) for node in range(1, count))]
    return labelled(draw, draw.choice([chain, star, comb]), texts)


def check_what_is_no_tree(native: Any, twin: Any, draw: random.Random) -> None:
    """Numbers that are no parents, kinds or texts: refused by both, or taken by both."""
    from jatdae.kernels.tree import Tree

    good = tree(draw, TEXTS, 10)
    parts: list[list[Any]] = [list(good.parents), list(good.kinds), list(good.texts)]
    for _ in range(draw.randint(1, 3)):
        part = draw.choice(parts)
        if part and draw.random() < 0.8:
            part[draw.randrange(len(part))] = draw.choice(BAD_NUMBERS)
        else:
            part += draw.choices(BAD_NUMBERS, k=draw.randint(1, 3))
    bad = Tree(*parts)
    for pair in ((bad, good), (good, bad), (bad, bad)):
        for name in ("distance", "mapping"):
            found = outcome(lambda pair=pair, name=name: getattr(native, name)(*pair, TEXTS, 1.0, 1.0, 1.0, MOST_STEPS))
            if is_plain(bad):
                expected = outcome(
                    lambda pair=pair, name=name: getattr(twin, name)(*pair, TEXTS, 1.0, 1.0, 1.0, MOST_STEPS)
                )
                assert found == expected, f"{name} of {bad}: {found!r:.300} is not {expected!r:.300}"


def is_plain(given: Any) -> bool:
    """Whether all numbers have 32 bits; others the native kernel refuses, and the twin may take."""
    parts = (given.parents, given.kinds, given.texts)
    return all(type(number) is int and -(2**31) <= number < 2**31 for part in parts for number in part)


if __name__ == "__main__":
    sys.exit(main())
