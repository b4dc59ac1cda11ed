(** The lazy permutation is uniform, for every adaptive order of queries.

    Positions and items stand in two arrangements; what has been revealed comes first in both. A
    query for a new position exchanges it to the next place, and draws a uniform item among those
    not yet paired; a query for a new item does the same from the other side. There are m! tapes of
    draws. We prove that each permutation comes from exactly one of them, and that every answer was
    one of this permutation. So the answers have the joint law of those of a list that is drawn in
    advance.

    Claims: lem:permutation-and-independence, thm:oracle. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import hypergeometric.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

Section LazyPermutation.
Variable m : nat.

(** A place holds a number: a position in the first arrangement, an item in the second. *)
Definition exchange (arrangement : 'S_m) (first second : 'I_m) : 'S_m :=
  (tperm first second * arrangement)%g.

Record state := State { positions : 'S_m; items : 'S_m }.

Definition pair st (revealed position_place item_place : 'I_m) :=
  State (exchange (positions st) revealed position_place) (exchange (items st) revealed item_place).

Inductive query := ItemAt of 'I_m | PositionOf of 'I_m.

(** Line by line the two methods of the Python class; a draw is a place not yet paired. *)
Definition answer st (revealed draw : 'I_m) asked :=
  match asked with
  | ItemAt position => pair st revealed ((positions st)^-1%g position) draw
  | PositionOf item => pair st revealed draw ((items st)^-1%g item)
  end.

(** The pairs of position and item that are revealed after n draws. *)
Definition revealed_pairs st n := [seq (positions st x, items st x) | x <- take n (enum 'I_m)].

(** What to ask next may depend on all that was revealed. *)
Variable strategy : seq ('I_m * 'I_m) -> query.

(** Queries whose answers are known draw nothing, so we count the others only. *)
Hypothesis asks_new : forall pairs, size pairs < m ->
  match strategy pairs with
  | ItemAt position => position \notin [seq x.1 | x <- pairs]
  | PositionOf item => item \notin [seq x.2 | x <- pairs]
  end.

Implicit Types (tape : {ffun 'I_m -> 'I_m}) (n x : 'I_m).

Definition step tape st n := answer st n (tape n) (strategy (revealed_pairs st n)).

Definition state_after tape (count : nat) :=
  foldl (step tape) (State 1 1) (take count (enum 'I_m)).

(** The permutation from positions to items that a tape leads to. *)
Definition permutation_of tape : 'S_m :=
  ((positions (state_after tape m))^-1 * items (state_after tape m))%g.

(** Draw n is one of the m - n places not yet paired. *)
Definition tapes := [set tape : {ffun 'I_m -> 'I_m} | [forall n : 'I_m, n <= tape n]].

Lemma state_after_next tape n : state_after tape n.+1 = step tape (state_after tape n) n.
Proof.
by rewrite /state_after (take_nth n) ?size_enum_ord // foldl_rcons nth_ord_enum.
Qed.

Lemma new_positions_are_later st n position :
  position \notin [seq pair.1 | pair <- revealed_pairs st n] -> n <= (positions st)^-1%g position.
Proof.
rewrite leqNgt; apply: contra => early; apply/mapP.
exists (position, items st ((positions st)^-1%g position)) => //; apply/mapP.
by exists ((positions st)^-1%g position); rewrite ?permKV // in_take ?mem_enum // index_enum_ord.
Qed.

Lemma new_items_are_later st n item :
  item \notin [seq pair.2 | pair <- revealed_pairs st n] -> n <= (items st)^-1%g item.
Proof.
rewrite leqNgt; apply: contra => early; apply/mapP.
exists (positions st ((items st)^-1%g item), item) => //; apply/mapP.
by exists ((items st)^-1%g item); rewrite ?permKV // in_take ?mem_enum // index_enum_ord.
Qed.

Lemma size_revealed_pairs st n : size (revealed_pairs st n) < m.
Proof. by rewrite size_map size_take size_enum_ord ltn_ord. Qed.

(** A step leaves the places before it alone. *)
Lemma step_keeps tape st n x : n <= tape n -> x < n ->
  positions (step tape st n) x = positions st x /\ items (step tape st n) x = items st x.
Proof.
move=> draw_ok xn; rewrite /step /answer.
have keeps (arrangement : 'S_m) (place : 'I_m) :
    n <= place -> exchange arrangement n place x = arrangement x.
  by move=> n_le; rewrite permM tpermD // -val_eqE /= gtn_eqF // (leq_trans xn).
have := asks_new (size_revealed_pairs st n).
case: (strategy _) => asked new /=; rewrite !keeps //.
  exact: new_positions_are_later.
exact: new_items_are_later.
Qed.

Lemma settled tape x count : tape \in tapes -> x < count -> count <= m ->
  positions (state_after tape count) x = positions (state_after tape x.+1) x
  /\ items (state_after tape count) x = items (state_after tape x.+1) x.
Proof.
rewrite inE => /forallP in_range; elim: count => // count IH x_lt count_lt.
move: x_lt; rewrite ltnS leq_eqVlt => /orP[/eqP -> //|x_lt].
have [<- <-] := IH x_lt (ltnW count_lt).
by rewrite (state_after_next tape (Ordinal count_lt)); apply: step_keeps.
Qed.

Lemma pair_is_final tape x : tape \in tapes ->
  permutation_of tape (positions (state_after tape x.+1) x) = items (state_after tape x.+1) x.
Proof.
move=> ok; have [<- <-] := settled ok (ltn_ord x) (leqnn m).
by rewrite permM permK.
Qed.

(** Every pair that was revealed, at any time, is a pair of the final permutation.
    Claim: thm:oracle. *)
Theorem answers_are_final tape n pair : tape \in tapes ->
  pair \in revealed_pairs (state_after tape n) n -> permutation_of tape pair.1 = pair.2.
Proof.
move=> ok /mapP[x]; rewrite in_take ?mem_enum // index_enum_ord => xn -> /=.
have [-> ->] := settled ok xn (ltnW (ltn_ord n)); exact: pair_is_final.
Qed.

Lemma tapes_are_apart : {in tapes &, injective permutation_of}.
Proof.
move=> a b a_ok b_ok same; apply/ffunP => n; move: {2}n.+1 (ltnSn n) => bound.
elim: bound n => // bound IH n; rewrite ltnS => n_le.
have same_state : state_after a n = state_after b n.
  have : forall count, count <= n -> state_after a count = state_after b count.
    elim=> [|count IHc] count_le; first by rewrite /state_after take0.
    have count_lt : count < m by apply: leq_trans count_le (ltnW (ltn_ord n)).
    rewrite !(state_after_next _ (Ordinal count_lt)) /step (IHc (ltnW count_le)) IH //.
    exact: leq_trans count_le n_le.
  by apply.
have := pair_is_final n a_ok; have := pair_is_final n b_ok.
rewrite -same !state_after_next same_state /step /answer.
case: (strategy _) => asked /=; rewrite !permM !tpermL.
  by rewrite permKV => -> /perm_inj.
by rewrite permKV => <- /perm_inj /perm_inj /perm_inj.
Qed.

Lemma card_tapes : #|tapes| = m`!.
Proof.
pose allowed n := [pred d : 'I_m | n <= d].
have -> : #|tapes| = #|family allowed|.
  by apply: eq_card => tape; rewrite inE; apply/forallP/familyP.
rewrite card_family foldrE big_map big_enum /=.
have card_allowed n : #|allowed n| = m - n.
  rewrite -cardsE cardsCs card_ord; congr (m - _).
  rewrite -[RHS](card_ranks_below (ltnW (ltn_ord n))).
  by apply: eq_card => d; rewrite !inE -ltnNge.
under eq_bigr => n _ do rewrite card_allowed.
rewrite (reindex_inj rev_ord_inj) /= fact_prod big_add1 big_mkord.
by apply: eq_bigr => n _; rewrite subKn.
Qed.

(** Each permutation comes from exactly one of the m! tapes.
    Claim: lem:permutation-and-independence, thm:oracle. *)
Theorem lazy_permutation_is_uniform (s : 'S_m) :
  #|tapes| = m`! /\ #|[set tape in tapes | permutation_of tape == s]| = 1.
Proof.
split; first exact: card_tapes.
have onto : permutation_of @: tapes = setT.
  apply/eqP; rewrite eqEcard subsetT cardsT card_permutations (card_in_imset tapes_are_apart).
  by rewrite card_tapes leqnn.
have : s \in permutation_of @: tapes by rewrite onto inE.
move=> /imsetP[tape tape_ok ->]; apply/eqP/cards1P; exists tape; apply/setP => other; rewrite !inE.
apply/andP/eqP => [[other_ok /eqP e]|->]; last by move: tape_ok; rewrite inE.
by apply: tapes_are_apart => //; rewrite inE.
Qed.

End LazyPermutation.

(** There are strategies that ask for something new: for example, for any new position. *)
Lemma a_strategy_exists n : exists strategy : seq ('I_n.+1 * 'I_n.+1) -> query n.+1,
  forall pairs, size pairs < n.+1 ->
  match strategy pairs with
  | ItemAt position => position \notin [seq x.1 | x <- pairs]
  | PositionOf item => item \notin [seq x.2 | x <- pairs]
  end.
Proof.
exists (fun pairs => ItemAt (odflt ord0 [pick p | p \notin [seq x.1 | x <- pairs]])) => pairs small.
case: pickP => //= none; move: small; rewrite ltnNge -(size_map fst) => /negP[].
rewrite -[X in X <= _]card_ord; apply: leq_trans (card_size [seq x.1 | x <- pairs]).
by apply/subset_leq_card/subsetP => p _; move/negbFE: (none p).
Qed.
