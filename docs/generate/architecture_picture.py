"""The picture of the architecture: three parts and what they may import."""

from drawing import Drawing

ENGINES = (
    "top_k, privtopk select",
    "engines: batched, rank-free,",
    "online, exact, one-shot ...",
    "sources: memory, SQL, Redis",
)
ORACLE = (
    "privtopk-conformance run",
    "requirements, e-processes",
    "mutants, vectors, reports",
    "scoreboard of libraries",
)


def architecture() -> Drawing:
    """Return the three source roots, their imports, and how the oracle reaches a subject."""
    drawing = Drawing("Three parts: the specification, the engines, the oracle", 366)
    for x, name, title, lines in (
        (20, "privtopk.impl", "impl/: the engines", ENGINES),
        (250, "privtopk.conformance", "conformance/: the oracle", ORACLE),
    ):
        drawing.box(x, 20, 200 if x == 20 else 210, 122, "noise" if x == 20 else "hit")
        drawing.text(x + 14, 42, title, "strong")
        for place, words in enumerate((name, *lines)):
            drawing.text(x + 14, 60 + 17 * place, words, "small")
    drawing.arrow((248, 82), (222, 82))
    drawing.text(
        240,
        160,
        "no import: the oracle calls an engine as it calls yours,",
        "quiet small",
        "middle",
    )
    drawing.text(
        240, 176, "by an address: python:module:name or stdio:command", "quiet small", "middle"
    )
    for x in (60, 420):
        drawing.arrow((x, 144), (x, 206))
        drawing.text(
            x + (10 if x == 60 else -10),
            198,
            "imports",
            "quiet small",
            "start" if x == 60 else "end",
        )
    drawing.box(20, 208, 440, 62, "score")
    drawing.text(34, 230, "spec/: the specification, privtopk.spec", "strong")
    drawing.text(34, 247, "model, algorithms, exact laws, bounds, accounting, claims", "small")
    drawing.text(34, 262, "standard library only", "small")
    drawing.arrow((240, 298), (240, 272))
    drawing.text(250, 290, "imports, and checks every claim", "quiet small")
    drawing.box(20, 300, 440, 46)
    drawing.text(34, 320, "spec/privtopk/spec/proofs: the gate, make prove", "strong")
    drawing.text(34, 337, "CrossHair, z3, sympy, Arb, exact fractions, seeded bugs", "small")
    return drawing
