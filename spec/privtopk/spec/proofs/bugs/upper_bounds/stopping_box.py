"""Bugs of `privtopk.spec.upper_bounds.stopping_box`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="box-grows-along-the-shorter-side",
        original="return self.columns if self.rows == self.columns else self.rows",
        mutated="return self.rows if self.rows == self.columns else self.columns",
        killers=("upper_bounds.stopping_box.thm_a_step_gains_its_length",),
    ),
    SeededBug(
        name="box-grows-by-columns-first",
        original="for extra in (0, 1)",
        mutated="for extra in (1, 0)",
        killers=("upper_bounds.stopping_box.thm_the_steps_fill_the_square",),
    ),
    SeededBug(
        name="a-cell-joins-with-its-row",
        original="return 2 * row - 1 if column < row else 2 * column",
        mutated="return 2 * row - 1 if column <= row else 2 * column",
        killers=("upper_bounds.stopping_box.thm_a_cell_joins_with_its_row_or_column",),
    ),
    SeededBug(
        name="a-row-joins-from-its-end",
        original="return 2 * row - 1 if column < row else 2 * column",
        mutated="return 2 * row - column if column < row else 2 * column",
        killers=(
            "upper_bounds.stopping_box.thm_an_exchange_adds_no_earlier_point",
            "upper_bounds.stopping_box.thm_points_join_one_by_one",
            "upper_bounds.rounds.exchanges_bound_the_area",
        ),
    ),
    SeededBug(
        name="only-one-row-moves",
        original="moved = {columns[row - 1]: column, column: columns[row - 1]}",
        mutated="moved = {columns[row - 1]: column}",
        killers=("upper_bounds.rounds.exchanges_bound_the_area",),
    ),
)
