"""Tests of reading theorems and of the constructs that would make them unsound."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.registry import Method, RegistryError, Role
from privtopk.spec.proofs.gate.theorem import (
    Policy,
    Theorem,
    all_theorems,
    policy_of,
    theorem_of,
    unsound_constructs,
)

GOOD = '''
def is_small(x: int) -> bool:
    """Decide whether x is small."""
    return x < 9

def thm_is_small(x: int) -> bool:
    """What is small
    is small.

    Claim: thm:one, thm:two
    pre: is_small(x)
    pre: x > 0
    post: _
    """
    return is_small(x)
'''


Writer = Callable[..., ModuleType]


def read(write_module: Writer, docstring: str, name: str = "thm_it") -> Theorem:
    """Return the theorem with this docstring."""
    module = write_module(f'def {name}(x: int) -> bool:\n    """{docstring}"""\n    return True\n')
    return theorem_of(getattr(module, name))


def test_a_theorem_is_read_whole(write_module: Writer) -> None:
    """Sentence, claims and preconditions come from the docstring."""
    module = write_module(GOOD)
    assert theorem_of(module.thm_is_small) == Theorem(
        name=f"{module.__name__}.thm_is_small",
        function=module.thm_is_small,
        policy=Policy.CONFIRM,
        sentence="What is small is small.",
        keys=("thm:one", "thm:two"),
        preconditions=("is_small(x)", "x > 0"),
        seconds=40.0,
        is_slow=False,
        problem="",
    )


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("thm_a", Policy.CONFIRM),
        ("search_a", Policy.SEARCH),
        ("refuted_a", Policy.REFUTE),
        ("is_a", None),
    ],
)
def test_the_prefix_is_the_policy(name: str, policy: Policy | None) -> None:
    """Each prefix announces a policy; no other name does."""
    assert policy_of(name) is policy


def test_a_theorem_is_evidence_by_crosshair(write_module: Writer) -> None:
    """A theorem supports its claims by CrossHair."""
    theorem = read(write_module, "S.\n\n    Claim: a\n    post: _\n    ")
    assert (theorem.method, theorem.role) == (Method.CROSSHAIR, Role.SUPPORTS)


def test_a_refuted_theorem_refutes(write_module: Writer) -> None:
    """A theorem that must be refuted refutes its claims."""
    theorem = read(write_module, "S.\n\n    Claim: a\n    post: _\n    ", "refuted_it")
    assert theorem.role is Role.REFUTES


def test_a_theorem_states_its_budget(write_module: Writer) -> None:
    """A theorem with a budget of its own is slow."""
    theorem = read(write_module, "S.\n\n    Claim: a\n    Seconds: 90\n    post: _\n    ")
    assert (theorem.seconds, theorem.is_slow, theorem.problem) == (90.0, True, "")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("Claim: a", "a theorem needs exactly one `post: _`, got 0"),
        ("Claim: a|post: _|post: _", "a theorem needs exactly one `post: _`, got 2"),
        ("post: _", "a theorem needs one `Claim:` line, then at most one `Seconds:` line"),
        ("Claim: a|Seconds: few|post: _", "`Seconds:` must be a whole number"),
        ("Claim: a|post: _ > 0", "only `pre: ...` and `post: _` are allowed, got `post: _ > 0`"),
        ("Claim: a|post[x]: _", "only `pre: ...` and `post: _` are allowed, got `post[x]: _`"),
        (
            "Claim: a|raises: ValueError|post: _",
            "only `pre: ...` and `post: _` are allowed, got `raises: ValueError`",
        ),
        (
            "Claim: a|:raises ValueError: if so|post: _",
            "only `pre: ...` and `post: _` are allowed, got `:raises ValueError: if so`",
        ),
        ("Claim: a|pre:|post: _", "only `pre: ...` and `post: _` are allowed, got `pre:`"),
    ],
)
def test_a_malformed_docstring_is_a_problem(write_module: Writer, lines: str, problem: str) -> None:
    """Whatever is not exactly the form of a theorem is a problem with a message of its own."""
    indented = lines.replace("|", "\n    ")
    assert read(write_module, f"S.\n\n    {indented}\n    ").problem == problem


def test_a_theorem_needs_a_prefix(write_module: Writer) -> None:
    """A function with another name is not a theorem."""
    with pytest.raises(RegistryError, match=r"^lemma_it has none of the prefixes of a theorem$"):
        read(write_module, "S.", "lemma_it")


def test_theorems_are_discovered(write_module: Writer) -> None:
    """The theorems of every module of a package are found, by name."""
    package = write_module(beta=GOOD, alpha=GOOD).__name__
    names = [theorem.name for theorem in all_theorems(["thm:one", "thm:two"], package)]
    assert names == ["alpha.thm_is_small", "beta.thm_is_small"]


def test_a_package_without_theorems_is_refused(write_module: Writer) -> None:
    """No theorem found is an error, not an empty success."""
    package = write_module(alpha=GOOD).__name__
    (Path(str(__import__(package).__file__)).parent / "alpha.py").unlink()
    with pytest.raises(RegistryError, match=rf"^no theorem found in {package}$"):
        all_theorems(["thm:one", "thm:two"], package)


def test_a_module_without_theorems_is_refused(write_module: Writer) -> None:
    """A module of theorems that has none is an error."""
    package = write_module(alpha=GOOD, beta="").__name__
    with pytest.raises(RegistryError, match=rf"^no theorem found in {package}.beta$"):
        all_theorems(["thm:one", "thm:two"], package)


def test_a_theorem_may_cite_known_claims_only(write_module: Writer) -> None:
    """A theorem that names a key that no claim has is refused."""
    package = write_module(alpha=GOOD).__name__
    with pytest.raises(RegistryError, match=r"^alpha.thm_is_small names unknown claims: thm:two$"):
        all_theorems(["thm:one"], package)


CONTRACT = '"""S.\n\n    post: _ > 0\n    """'


@pytest.mark.parametrize(
    ("path", "source", "fault"),
    [
        (
            "access.py",
            f"def size() -> int:\n    {CONTRACT}\n    return 1\n",
            "access.py: size has a contract and is not a theorem",
        ),
        (
            "theorems/access.py",
            f"class A:\n    def thm_a() -> int:\n        {CONTRACT}\n        return 1\n",
            "theorems/access.py: thm_a has a contract and is not a theorem",
        ),
        (
            "theorems/access.py",
            "def thm_a() -> bool:\n    return True\ndef is_b() -> bool:\n    return thm_a()\n",
            "theorems/access.py: thm_a is used; nothing may call a theorem",
        ),
        (
            "access.py",
            "try:\n    pass\nexcept BaseException:\n    pass\n",
            "access.py: line 3 handles BaseException",
        ),
        (
            "access.py",
            "try:\n    pass\nexcept:\n    pass\n",
            "access.py: line 3 handles BaseException",
        ),
    ],
)
def test_unsound_constructs_are_named(tmp_path: Path, path: str, source: str, fault: str) -> None:
    """Contracts outside theorems, uses of theorems and swallowed control flow are found."""
    (tmp_path / "theorems").mkdir()
    (tmp_path / path).write_text(source)
    assert list(unsound_constructs(tmp_path)) == [fault]


def test_prose_is_no_contract(tmp_path: Path) -> None:
    """A docstring about post-processing, or a variable search_x, is not a contract."""
    (tmp_path / "a.py").write_text(
        'def f():\n    """S.\n\n    post-processing.\n    """\nsearch_x = 1\n'
    )
    assert list(unsound_constructs(tmp_path)) == []
