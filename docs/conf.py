"""How Sphinx builds the site: `make docs`, with every warning an error."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

project = "privtopk"
copyright = "the authors of privtopk"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generate"]
# Formulas are TeX between dollars, as code-hosting sites read them.
myst_enable_extensions = ["dollarmath"]
# MathJax would be fetched from another machine, and MathML needs no script.
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "privtopk"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
# An option keeps its two hyphens.
smartquotes = False
# The Markdown is read on code-hosting sites too: its headings have the same anchors there.
myst_heading_anchors = 3
# Docstrings say `name` as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 88
# Other packages have no page here, nor have type variables, types that stand for a number, and what
# a run keeps for its reports.
nitpick_ignore_regex = [
    ("py:.*", r"(?!privtopk\.).*"),
    ("py:class", r"privtopk\.spec\.model\.values\.(Item|Position)"),
    ("py:.*", r"privtopk\.spec\.\w+\.\w+\.(Output|Weight|Coefficient|Member|Chance)"),
    ("py:class", r"privtopk\.conformance\.evidence\.decision\.Case"),
]


def contents_of(page: str, text: str) -> list[str]:
    """Return the pages that an index links to: a list of links is its table of contents.

    A toctree in the Markdown would be noise on a code-hosting site, and a second list to keep.
    """
    pattern = r"\(([\w-]+/index)\.md\)" if page == "index" else r"(?m)^- \[[^]]*\]\(([\w-]+)\.md\)"
    return re.findall(pattern, text)


def add_contents(app: Any, page: str, source: list[str]) -> None:
    """Let Sphinx know the contents of an index."""
    if page.split("/")[-1] == "index":
        pages = "\n".join(contents_of(page, source[0]))
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def adapt(app: Any, what: str, name: str, value: object, options: Any, lines: list[str]) -> None:
    """Leave |z| in a docstring the absolute value that it means, and make fields of its tags."""
    escaped = [line.replace("|", "\\|") for line in lines]
    lines[:] = [re.sub(r"^(Paper|Deviates|Ours): +", r":\1: ", line) for line in escaped]


def write_formula(writer: Any, formula: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML; one that docutils cannot read is a warning, so the build fails."""
    try:
        is_block = isinstance(formula, nodes.math_block)
        writer.body.append(tex2mathml(formula.astext(), as_block=is_block))
    except MathError as error:
        logging.getLogger(__name__).warning(str(error), location=formula)
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Connect them."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", adapt)
    writers = (write_formula, None)
    app.add_html_math_renderer("mathml", inline_renderers=writers, block_renderers=writers)
