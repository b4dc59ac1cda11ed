(** Theorem F: a selection whose cost says nothing.

    Read exactly t items by sorted access, and exactly the t items with the largest noise by random
    access. If fewer than k items are in both, read everything. Then (i) the items are those of the
    one-shot algorithm, (ii) everything is read with a probability that does not depend on the
    scores, and (iii) if that probability is at most delta', the pair of items and cost is
    (eps, delta + (1 + e^eps) delta')-private where the items alone are (eps, delta)-private.

    Claims: ours:fixed-accesses. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import hypergeometric lists.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory Num.Theory GRing.Theory.
Local Open Scope nat_scope.

Section FixedAccesses.
Variable R : realDomainType.  (* integers, rationals or reals *)
Variables m t k : nat.
Variables h z : 'I_m -> R.  (* the score and the noise of each item *)
Variables score_rank noise_rank : 'S_m.
Implicit Types (i j : 'I_m) (items : {set 'I_m}).

Local Notation noisy_score := (noisy_score h z).

(** The k best of some items, best first, ties to the smaller item. *)
Definition best_of items :=
  take k (sort (fun i j => noisy_score j <= noisy_score i)%R (enum items)).

Definition one_shot := best_of setT.

Definition read_items := first_items score_rank t :|: first_items noise_rank t.

Definition is_enough := k <= #|common_items score_rank noise_rank t|.

Definition fixed_accesses := if is_enough then best_of read_items else best_of setT.

Hypothesis scores_fall : forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Hypothesis noises_fall : forall i j, noise_rank i <= noise_rank j -> (z j <= z i)%R.
Hypothesis no_ties : injective noisy_score.

Lemma common_beats_unread i j : i \in common_items score_rank noise_rank t -> j \notin read_items ->
  (noisy_score j < noisy_score i)%R.
Proof.
rewrite !inE negb_or -!leqNgt => /andP[in_scores in_noises] /andP[not_in_scores not_in_noises].
rewrite lt_neqAle; apply/andP; split; last first.
  rewrite ler_add ?scores_fall ?noises_fall // ltnW //.
    exact: leq_trans not_in_scores.
  exact: leq_trans not_in_noises.
by apply: contraTneq in_scores => /no_ties <-; rewrite -leqNgt.
Qed.

Lemma take_filter (p : pred 'I_m) (s : seq 'I_m) n :
  all p (take n s) -> take n (filter p s) = take n s.
Proof.
elim: s n => [|x s IH] [|n] //=; first by rewrite !take0.
by case/andP=> -> /IH <-.
Qed.

(** Fixed accesses return the ranked list of the one-shot algorithm.
    Claim: ours:fixed-accesses. *)
Theorem fixed_accesses_are_one_shot : fixed_accesses = one_shot.
Proof.
rewrite /fixed_accesses; case: ifP => // enough; rewrite /one_shot /best_of.
set order := fun i j => _; set ranking := sort order (enum setT).
have order_total : total order by move=> i j; apply: le_total.
have order_trans : transitive order by move=> j i l ji lj; apply: le_trans lj ji.
have -> : sort order (enum read_items) = filter (mem read_items) ranking.
  rewrite filter_sort //; congr (sort _ _); rewrite /enum_mem -filter_predI.
  by apply: eq_filter => i; rewrite /= !inE andbT.
apply: take_filter; apply/allP => i i_first; apply/negPn/negP => unread.
have in_ranking j : j \in ranking by rewrite mem_sort mem_enum inE.
have index_lt : index i ranking < k by rewrite -in_take.
suff : k <= index i ranking by rewrite leqNgt index_lt.
pose before := take (index i ranking) ranking.
suff sub : common_items score_rank noise_rank t \subset before.
  apply: leq_trans enough (leq_trans (subset_leq_card sub) (leq_trans (card_size before) _)).
  by rewrite size_take; case: ifP => // /negbT; rewrite -leqNgt.
apply/subsetP => j common; rewrite in_take // ltnNge leq_eqVlt; apply/negP => /orP[/eqP e|later].
  have ij : i = j by rewrite -(nth_index i (in_ranking i)) e nth_index.
  by move: (common_beats_unread common unread); rewrite ij ltxx.
have sorted_ranking := sort_sorted order_total (enum [set: 'I_m]).
have := sorted_ltn_index order_trans sorted_ranking _ _ (in_ranking i) (in_ranking j) later.
by rewrite /order leNgt (common_beats_unread common unread).
Qed.

End FixedAccesses.

(** Everything is read with probability P(Hyp(m, t, t) <= k - 1), whatever the scores are.
    Claim: ours:fixed-accesses. *)
Theorem chance_to_read_everything m t k (score_rank : 'S_m) : t <= m ->
  #|[set noise_rank | ~~ is_enough t k score_rank noise_rank]| * 'C(m, t)
    = m`! * draws_below m t t k.
Proof.
move=> tm; rewrite -[X in draws_below m X](card_first_items score_rank tm).
rewrite -marked_items_are_hypergeometric //; congr (_ * _); apply: eq_card => noise_rank.
by rewrite !inE -ltnNge; congr (_ < k); apply: eq_card => i; rewrite !inE.
Qed.

Section PairIsPrivate.
Variable R : realDomainType.
Variables Items Cost : finType.
Implicit Types (P Q : Items * Cost -> R) (pairs : {set Items * Cost}) (outputs : {set Items}).

Definition probability P pairs := (\sum_(x in pairs) P x)%R.

(** The probability that the items are among some outputs, at any cost. *)
Definition probability_of_items P outputs := (\sum_(x | x.1 \in outputs) P x)%R.

Variables P Q : Items * Cost -> R.  (* the laws of items and cost on neighbouring inputs *)
Variables factor delta rare : R.  (* e^eps, delta and delta' *)
Variable usual : Cost.  (* 2t accesses in two round trips *)
Hypothesis P_ge0 : forall x, (0 <= P x)%R.
Hypothesis Q_ge0 : forall x, (0 <= Q x)%R.
Hypothesis factor_ge0 : (0 <= factor)%R.
Hypothesis items_are_private : forall outputs,
  (probability_of_items P outputs <= factor * probability_of_items Q outputs + delta)%R.
Hypothesis P_usual : (probability P [set x | x.2 != usual] <= rare)%R.
Hypothesis Q_usual : (probability Q [set x | x.2 != usual] <= rare)%R.

Lemma sum_le_sum (law : Items * Cost -> R) (A B : pred (Items * Cost)) : (forall x, 0 <= law x)%R ->
  (forall x, A x -> B x) -> (\sum_(x | A x) law x <= \sum_(x | B x) law x)%R.
Proof.
move=> law_ge0 AB; rewrite [X in (X <= _)%R]big_mkcond [X in (_ <= X)%R]big_mkcond.
by apply: ler_sum => x _; case: ifP => [/AB ->//|_]; case: ifP.
Qed.

Lemma probability_le_usual law pairs : (forall x, 0 <= law x)%R ->
  (probability law [set x | x.2 != usual] <= rare)%R ->
  (probability law pairs <= probability_of_items law [set o | (o, usual) \in pairs] + rare)%R.
Proof.
move=> law_ge0 law_usual; rewrite /probability (bigID (fun x => x.2 == usual)) /=.
apply: ler_add; last apply: le_trans law_usual; apply: sum_le_sum => // -[o c]; rewrite !inE /=.
  by case/andP=> oc /eqP <-.
by case/andP.
Qed.

Lemma usual_le_probability law pairs : (forall x, 0 <= law x)%R ->
  (probability law [set x | x.2 != usual] <= rare)%R ->
  (probability_of_items law [set o | (o, usual) \in pairs] <= probability law pairs + rare)%R.
Proof.
move=> law_ge0 law_usual; rewrite /probability_of_items (bigID (fun x => x.2 == usual)) /=.
apply: ler_add; last apply: le_trans law_usual; apply: sum_le_sum => // -[o c]; rewrite !inE /=.
  by case/andP=> oc /eqP ->.
by case/andP.
Qed.

(** The pair of items and cost is (eps, delta + (1 + e^eps) delta')-private.
    Claim: ours:fixed-accesses. *)
Theorem pair_of_items_and_cost_is_private pairs :
  (probability P pairs <= factor * probability Q pairs + (delta + (1 + factor) * rare))%R.
Proof.
apply: le_trans (probability_le_usual pairs P_ge0 P_usual) _.
apply: le_trans (ler_add (items_are_private _) (lexx rare)) _.
apply: le_trans (ler_add (ler_add (ler_wpmul2l factor_ge0 _) (lexx delta)) (lexx rare)) _.
  exact: usual_le_probability Q_ge0 Q_usual.
by rewrite mulrDr mulrDl mul1r [(rare + _)%R]addrC !addrA [(_ + delta)%R]addrAC.
Qed.

End PairIsPrivate.
