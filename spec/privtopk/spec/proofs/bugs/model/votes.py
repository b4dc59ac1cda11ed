"""Bugs of `privtopk.spec.model.votes`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="repeated-rows-count-twice",
        original="votes = {(client, require_item(item, size)) for client, item in rows}",
        mutated="votes = [(client, require_item(item, size)) for client, item in rows]",
        killers=("model.votes.thm_a_repeated_row_counts_once",),
    ),
    SeededBug(
        name="the-first-client-is-not-counted",
        original="for ballot in dataset]",
        mutated="for ballot in dataset[1:]]",
        killers=("model.votes.thm_the_histogram_counts_the_clients_one_by_one",),
    ),
    SeededBug(
        name="a-replaced-client-stays",
        original="*dataset[place + 1 :])",
        mutated="*dataset[place:])",
        killers=("model.votes.thm_a_replaced_client_makes_a_swap_neighbour",),
    ),
    SeededBug(
        name="a-client-who-joins-takes-votes-away",
        original="tuple(score + vote for score",
        mutated="tuple(score - vote for score",
        killers=("model.votes.thm_one_client_more_is_an_add_remove_neighbour",),
    ),
)
