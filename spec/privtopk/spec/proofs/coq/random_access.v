(** Theorem S1: with random access only, a selection that is accurate with probability 1 - beta
    costs at least m (1 - beta)^2 / 2 on average.

    Give a uniform set of k items the score n, and 0 to all others. An answer is accurate to n - 1
    only if it is this set, and an algorithm returns only items that it has read. So it succeeds
    only if all high items were read. The idea: the times at which it meets them determine the run,
    and so the set.

    The algorithm is deterministic here; a mean over its coins gives the statement for all others.

    Claims: ours:lower-random. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From mathcomp Require Import zify.
From privtopk Require Import hypergeometric.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

Section RandomAccess.
Variables m k : nat.
Implicit Types (high : {set 'I_m}) (q t : nat).

(** Which item to read next, given whether each item read so far is high. *)
Variable next_item : seq bool -> 'I_m.

Fixpoint answers high t :=
  if t is t'.+1 then rcons (answers high t') (next_item (answers high t') \in high) else [::].

Definition item_read high t := next_item (answers high t).

Definition items_read high q := [set item_read high t | t : 'I_q].

(** A second look at an item costs and shows nothing. *)
Hypothesis reads_are_new : forall high t u, t < m -> u < m ->
  item_read high t = item_read high u -> t = u.

(** The times before q at which a high item is read. *)
Definition hits high q := [set t : 'I_q | item_read high t \in high].

Lemma hits_determine_answers high other q : hits high q = hits other q ->
  forall t, t <= q -> answers high t = answers other t.
Proof.
move=> same; elim=> //= t IH t_lt; rewrite IH 1?ltnW //; congr (rcons _ _).
have := congr1 (fun H : {set 'I_q} => Ordinal t_lt \in H) same.
by rewrite !inE /item_read /= IH // ltnW.
Qed.

Lemma high_items_are_hits high q : high \subset items_read high q ->
  high = [set item_read high t | t : 'I_q in hits high q].
Proof.
move=> /subsetP read; apply/setP => i.
apply/idP/imsetP => [i_high|[t]]; last by rewrite inE => ? ->.
by have /imsetP[t _ e] := read i i_high; exists t => //; rewrite inE -e.
Qed.

(** Of all sets of k high items, at most C(q, k) are read within q accesses. *)
Lemma few_sets_are_read q : q <= m ->
  #|[set high : {set 'I_m} | (#|high| == k) && (high \subset items_read high q)]| <= 'C(q, k).
Proof.
move=> qm; rewrite -[X in 'C(X, _)](card_ord q) -card_draws.
set sets := [set high | _]; have hits_inj : {in sets &, injective (hits^~ q)}.
  move=> high other; rewrite !inE => /andP[_ high_read] /andP[_ other_read] same.
  rewrite (high_items_are_hits high_read) (high_items_are_hits other_read) same.
  by apply: eq_imset => t; rewrite /item_read (hits_determine_answers same) // ltnW.
rewrite -(card_in_imset hits_inj); apply/subset_leq_card/subsetP => H /imsetP[high].
rewrite !inE => /andP[/eqP card_high high_read] ->; rewrite -card_high.
rewrite {2}(high_items_are_hits high_read) card_imset // => t u e; apply: val_inj.
by apply: reads_are_new e; apply: leq_trans qm.
Qed.

(** The algorithm stops after some accesses, on each input. *)
Variable cost : {set 'I_m} -> nat.
Hypothesis cost_le_m : forall high, cost high <= m.

(** The inputs on which the algorithm can return all high items. *)
Definition accurate_inputs :=
  [set high : {set 'I_m} | (#|high| == k) && (high \subset items_read high (cost high))].

Hypothesis k_gt0 : 0 < k.

Lemma cheap_inputs_are_few q : q <= m ->
  m * #|[set high in accurate_inputs | cost high <= q]| <= 'C(m, k) * q.
Proof.
move=> qm; apply: leq_trans (_ : m * 'C(q, k) <= _).
  rewrite leq_mul2l; apply/orP; right; apply: leq_trans (few_sets_are_read qm).
  apply/subset_leq_card/subsetP => high; rewrite !inE => /andP[/andP[-> /subsetP read] cheap].
  apply/subsetP => i /read /imsetP[t _ ->]; apply/imsetP.
  by exists (widen_ord cheap t).
have [-> | q_gt0] := posnP q; first by rewrite bin0n (negbTE (lt0n_neq0 k_gt0)) !muln0.
have m_gt0 := leq_trans q_gt0 qm; rewrite -(leq_pmul2l k_gt0).
have := mul_bin_diag m k.-1; have := mul_bin_diag q k.-1; rewrite prednK // => eq_q eq_m.
rewrite mulnCA -eq_q mulnA [k * _]mulnA -eq_m [m * _ * q]mulnAC leq_mul2l leq_bin2l ?orbT //.
by lia.
Qed.

Lemma sum_of_series a b n : a <= n * b -> a ^ 2 <= 2 * b * \sum_(q < n) (a - b * q).
Proof.
elim: n a => [|n IH] a; first by rewrite mul0n leqn0 => /eqP ->.
rewrite mulSn => a_le; rewrite big_ord_recl /= muln0 subn0.
have -> : \sum_(q < n) (a - b * bump 0 q) = \sum_(q < n) ((a - b) - b * q).
  by apply: eq_bigr => q _; rewrite /bump /= mulnDr muln1 subnDA.
have := IH (a - b); rewrite leq_subLR => /(_ a_le).
move: (\sum_(q < n) _) => rest; nia.
Qed.

(** m (1 - beta)^2 / 2 <= E[cost], where 1 - beta is the share of accurate inputs.
    Claim: ours:lower-random. *)
Theorem random_access_costs_half_of_m :
  m * #|accurate_inputs| ^ 2 <= 2 * 'C(m, k) * \sum_(high : {set 'I_m} | #|high| == k) cost high.
Proof.
have [m0 | m_gt0] := posnP m; first by rewrite {1}m0.
set G := #|accurate_inputs|; set N := 'C(m, k); set total := \sum_(high | _) cost high.
have GN : G <= N.
  rewrite /N -[X in 'C(X, _)](card_ord m) -card_draws; apply/subset_leq_card/subsetP => high.
  by rewrite !inE => /andP[].
have tails : \sum_(q < m) (m * G - N * q) <= m * total.
  apply: leq_trans (_ : \sum_(q < m) m * #|[set high in accurate_inputs | q < cost high]| <= _).
    apply: leq_sum => q _; have := cheap_inputs_are_few (ltnW (ltn_ord q)); rewrite -/N => cheap.
    have split : G = #|[set high in accurate_inputs | cost high <= q]|
        + #|[set high in accurate_inputs | q < cost high]|.
      rewrite /G -(cardsID [set high | cost high <= q] accurate_inputs).
      congr (_ + _); apply: eq_card => high.
        by rewrite !inE.
      by rewrite !inE -ltnNge andbC.
    by rewrite split; nia.
  rewrite -big_distrr leq_mul2l /=; apply/orP; right.
  apply: leq_trans (_ : \sum_(high in accurate_inputs) cost high <= _).
    under eq_bigr => q _ do rewrite -sum1_card big_mkcond /=.
    rewrite exchange_big /= [X in _ <= X]big_mkcond; apply: leq_sum => high _.
    case accurate: (high \in accurate_inputs); last first.
      by rewrite big1 // => q _; rewrite inE accurate.
    rewrite -big_mkcond sum1_card; apply: leq_trans (_ : #|[set q : 'I_m | q < cost high]| <= _).
      apply/subset_leq_card/subsetP => q; rewrite unfold_in => late.
      have : high \in [set high in accurate_inputs | q < cost high] := late.
      by case/setIdP=> _; rewrite inE.
    by rewrite card_ranks_below.
  rewrite /total [X in _ <= X]big_mkcond [X in X <= _]big_mkcond; apply: leq_sum => high _.
  by rewrite inE; case: (#|high| == k) => //=; case: ifP.
have := sum_of_series (leq_mul (leqnn m) GN).
rewrite expnMn -[m ^ 2]mulnn => series; rewrite -(leq_pmul2l m_gt0) mulnA.
by apply: leq_trans series _; rewrite [X in _ <= X]mulnCA leq_mul2l tails orbT.
Qed.

End RandomAccess.

(** There are rules that read new items: for example, one item after the other. *)
Lemma a_rule_exists n : exists next_item : seq bool -> 'I_n.+1,
  forall high t u, t < n.+1 -> u < n.+1 ->
  item_read next_item high t = item_read next_item high u -> t = u.
Proof.
exists (fun known => inord (size known)) => high t u t_lt u_lt; rewrite /item_read.
have size_answers v : size (answers (fun known => inord (size known)) high v) = v.
  by elim: v => //= v IH; rewrite size_rcons IH.
by rewrite !size_answers => /(congr1 val); rewrite /= !inordK.
Qed.
