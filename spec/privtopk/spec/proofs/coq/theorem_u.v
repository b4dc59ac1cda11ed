(** Theorem U: E[R] <= 1/2 + sqrt(mk + 1/4) for all 1 <= k <= m, all scores and all continuous
    noise.

    By Lemma 4.1 the order of the noise list is uniform whatever the noise values are. So the mean
    is over the m! permutations noise_rank, with the scores and the sorted noise values fixed.
    Multiplied out, the bound is (sum of (2 R - 1))^2 <= (m!)^2 (4 m k + 1).

    The idea: let a box of ranks grow by half-steps, (r, r) to (r + 1, r) to (r + 1, r + 1), until
    it has k items. Exchange two noise ranks so that a cell of the box has an item: no more items
    come before it. So the box has at most mk cells on average, and it covers T (T - 1) cells.

    Claims: ours:theorem-u. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From mathcomp Require Import zify.
From privtopk Require Import hypergeometric lists threshold.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

Section Box.
Variable m : nat.
(* Items are named by their score ranks here: item x has noise rank s x. *)
Implicit Types (s : 'S_m) (x y a b : 'I_m) (k : nat).

(** The half-step at which the cell (x, y) joins the box. *)
Definition joins (x y : nat) := if y < x then x.*2 else y.*2.+1.

Definition items_before s n := [set a : 'I_m | joins a (s a) < n].

(** The cell is in the box that stops. *)
Definition in_box k s x y := #|items_before s (joins x y)| < k.

Lemma joins_before_odd p q n : (joins p q < n.*2.+1) = (p <= n) && (q < n).
Proof. rewrite /joins; case: ifP => ?; lia. Qed.

Lemma joins_before_even p q n : (joins p q < n.*2) = (p < n) && (q < n).
Proof. rewrite /joins; case: ifP => ?; lia. Qed.

Lemma items_join_one_by_one s : injective (fun a : 'I_m => joins a (s a)).
Proof.
move=> a b /=; rewrite /joins; case: ifP => ha; case: ifP => hb e; try lia.
- by apply: val_inj => /=; lia.
- by apply/(@perm_inj _ s)/val_inj => /=; lia.
Qed.

Lemma few_have_few_before (U : finType) (time : U -> nat) k : injective time ->
  #|[set a : U | #|[set b : U | time b < time a]| < k]| <= k.
Proof.
move=> inj; set A := [set a | _].
case: (set_0Vmem A) => [->|[a0 a0A]]; first by rewrite cards0.
have [a aA latest] : exists2 a : U, a \in A & forall b : U, b \in A -> time b <= time a.
  by case: (@arg_maxnP U a0 (mem A) time a0A) => a aA latest; exists a.
have few : #|[set b : U | time b < time a]| < k by move: aA; rewrite inE.
apply: leq_trans few.
have sub : A \subset a |: [set b : U | time b < time a].
  apply/subsetP => b bA; rewrite !inE ltn_neqAle (latest b bA) andbT.
  by case: (b =P a) => //= ne; apply/eqP => /inj.
by apply: leq_trans (subset_leq_card sub) _; rewrite cardsU1 -addn1 addnC leq_add2l leq_b1.
Qed.

Lemma items_in_box k s : #|[set a : 'I_m | in_box k s a (s a)]| <= k.
Proof. exact: few_have_few_before (@items_join_one_by_one s). Qed.

(** Exchange two noise ranks, so that item x has noise rank y. *)
Definition exchange x y s : 'S_m := (tperm x ((s^-1)%g y) * s)%g.

Lemma exchange_at x y s : exchange x y s x = y.
Proof. by rewrite permM tpermL permKV. Qed.

Lemma fewer_before_exchanged x y s :
  #|items_before (exchange x y s) (joins x y)| <= #|items_before s (joins x y)|.
Proof.
set other := (s^-1)%g y; have s_other : s other = y by rewrite permKV.
case: (other =P x) => [e|/eqP ne]; first by rewrite /exchange -/other e tperm1 mul1g.
set A := items_before s _; set B := items_before _ _.
have xB : x \notin B by rewrite inE exchange_at ltnn.
have same a : a != x -> a != other -> (a \in B) = (a \in A).
  by move=> ax ao; rewrite !inE permM tpermD // eq_sym.
case oB: (other \in B); last first.
  apply/subset_leq_card/subsetP => a aB.
  have ax : a != x by apply: contraTneq aB => ->.
  have ao : a != other by apply: contraTneq aB => ->; rewrite oB.
  by rewrite -same.
have one_was_in : (x \in A) || (other \in A).
  have at_other : exchange x y s other = s x by rewrite permM tpermR.
  move: oB; rewrite !inE at_other s_other {2 4 6}/joins; case: ifP => yx.
    by rewrite !joins_before_even => /andP[-> ->]; rewrite yx orbT.
  by rewrite !joins_before_odd => /andP[_ ->]; rewrite andbT; apply/orP; left; lia.
pose f a := if a == other then (if other \in A then other else x) else a.
have fA a : a \in B -> f a \in A.
  rewrite /f; case: eqP => [-> _|/eqP ao aB].
    by case: ifP => // nA; move: one_was_in; rewrite nA orbF.
  by rewrite -same //; apply: contraTneq aB => ->.
have f_inj : {in B &, injective f}.
  have not_x c : c \in B -> c != x by move=> cB; apply: contraTneq cB => ->.
  move=> a b aB bB; rewrite /f.
  case: eqP => [->|/eqP na]; case: eqP => [->|/eqP nb] //; case: ifP => _ e.
  - by rewrite e eqxx in nb.
  - by move: (not_x b bB); rewrite -e eqxx.
  - by rewrite e eqxx in na.
  - by move: (not_x a aB); rewrite e eqxx.
by rewrite -(card_in_imset f_inj); apply/subset_leq_card/subsetP => a /imsetP[b bB ->]; apply: fA.
Qed.

Lemma cell_in_box k x y :
  #|[set s | in_box k s x y]| <= m * #|[set s : 'S_m | in_box k s x y && (s x == y)]|.
Proof.
pose g s := ((s^-1)%g y, exchange x y s).
have g_inj : injective g.
  move=> s u [e]; rewrite /exchange e => /(congr1 (fun p => (tperm x ((u^-1)%g y) * p)%g)).
  by rewrite !mulgA !tperm2 !mul1g.
set C := [set s : 'S_m | in_box k s x y && (s x == y)].
have -> : m * #|C| = #|setX [set: 'I_m] C| by rewrite cardsX cardsT card_ord.
rewrite -(card_imset _ g_inj).
apply/subset_leq_card/subsetP => -[a u] /imsetP[s]; rewrite inE => inside [-> ->].
rewrite !inE /= exchange_at eqxx andbT.
exact: leq_ltn_trans (fewer_before_exchanged x y s) inside.
Qed.

Lemma card_as_sum (U : finType) (P : pred U) : #|[set a | P a]| = \sum_a P a.
Proof. by rewrite -sum1_card big_mkcond; apply: eq_bigr => a _; rewrite inE; case: (P a). Qed.

Definition area k s := \sum_x \sum_y in_box k s x y.

Lemma mean_area k : \sum_s area k s <= m * k * #|{: 'S_m}|.
Proof.
rewrite /area exchange_big /=.
apply: leq_trans (_ : \sum_x \sum_y m * #|[set s : 'S_m | in_box k s x y && (s x == y)]| <= _).
  apply: leq_sum => x _; rewrite exchange_big /=; apply: leq_sum => y _.
  by apply: leq_trans (cell_in_box k x y); rewrite card_as_sum.
under eq_bigr => x _ do rewrite -big_distrr /=.
rewrite -big_distrr /= -mulnA leq_mul2l; apply/orP; right.
apply: leq_trans (_ : \sum_s #|[set a : 'I_m | in_box k s a (s a)]| <= _); last first.
  apply: leq_trans (_ : \sum_(s : 'S_m) k <= _); last by rewrite sum_nat_const mulnC.
  by apply: leq_sum => s _; apply: items_in_box.
under [X in _ <= X]eq_bigr => s _ do rewrite card_as_sum.
rewrite [X in _ <= X]exchange_big /=; apply: leq_sum => x _.
under eq_bigr => y _ do rewrite card_as_sum.
rewrite exchange_big /=; apply: leq_sum => s _.
rewrite (bigD1 (s x)) //= big1 ?addn0 ?eqxx ?andbT //.
by move=> y ne; rewrite eq_sym (negbTE ne) andbF.
Qed.

Variable k : nat.
Hypothesis bounds : 1 <= k <= m.

Local Notation T s := (meeting_round k 1%g s).

Lemma few_common_before_T s r : r < T s -> #|common_items 1%g s r| < k.
Proof.
case: r => [_|r rT].
  rewrite (_ : common_items _ _ _ = set0) ?cards0; first by case/andP: bounds.
  by apply/setP => a; rewrite !inE.
have rm : r < m by have := meeting_round_le_m 1%g s bounds; lia.
by rewrite ltnNge; apply: (before_first_round (r := Ordinal rm) rT).
Qed.

Lemma box_covers_T s x y : x < T s -> y < (T s).-1 -> in_box k s x y.
Proof.
move=> xT yT; rewrite /in_box /joins; case: ifP => yx.
  apply: leq_ltn_trans (few_common_before_T xT); apply/subset_leq_card/subsetP => a.
  by rewrite !inE perm1 joins_before_even.
have y1T : y.+1 < T s by lia.
apply: leq_ltn_trans (few_common_before_T y1T); apply/subset_leq_card/subsetP => a.
by rewrite !inE perm1 joins_before_odd; lia.
Qed.

Lemma T_squared_below_area s : T s * (T s).-1 <= area k s.
Proof.
have Tm := meeting_round_le_m 1%g s bounds; have Tm1 : (T s).-1 <= m by lia.
rewrite -[X in X * _](card_ranks_below Tm) -[X in _ * X <= _](card_ranks_below Tm1).
rewrite !card_as_sum big_distrl /= /area.
apply: leq_sum => x _; rewrite big_distrr /=; apply: leq_sum => y _.
by case: ltnP => //= xT; case: ltnP => //= yT; rewrite box_covers_T.
Qed.

End Box.

Lemma cauchy_schwarz (I : finType) (a : I -> nat) : (\sum_i a i) ^ 2 <= #|I| * \sum_i a i ^ 2.
Proof.
rewrite -(leq_pmul2l (isT : 0 < 2)) -mulnn big_distrl /= big_distrr /=.
apply: leq_trans (_ : \sum_i \sum_j (a i ^ 2 + a j ^ 2) <= _).
  apply: leq_sum => i _; rewrite big_distrr big_distrr /=.
  by apply: leq_sum => j _; rewrite (nat_Cauchy (a i) (a j)).
under eq_bigr => i _ do rewrite big_split /= sum_nat_const.
by rewrite big_split /= -big_distrr /= sum_nat_const addnn -mul2n.
Qed.

Section TheoremU.
Variables (R : realDomainType) (m k : nat).
Hypothesis bounds : 1 <= k <= m.
Variable score_rank : 'S_m.
Implicit Types (i j : 'I_m) (noise_rank : 'S_m).

Lemma meeting_round_of_score_ranks noise_rank :
  meeting_round k score_rank noise_rank = meeting_round k 1%g (score_rank^-1 * noise_rank)%g.
Proof.
congr _.+1; apply: eq_find => r; congr (k <= _).
rewrite -(card_imset _ (@perm_inj _ score_rank)); apply: eq_card => x.
rewrite -[x in RHS](permKV score_rank) inE; apply/imsetP/idP => [[i]|].
  by rewrite inE => /andP[a b] ->; rewrite perm1 permM permKV permK a b.
by rewrite perm1 permM !permKV => ab; exists (score_rank^-1%g x); rewrite ?inE ?permKV.
Qed.

(** E[T (T - 1)] <= mk.
    Claim: ours:theorem-u. *)
Theorem mean_square_of_meeting_round :
  \sum_(noise_rank : 'S_m) meeting_round k score_rank noise_rank
    * (meeting_round k score_rank noise_rank).-1 <= m * k * m`!.
Proof.
rewrite -card_permutations; apply: leq_trans (mean_area _ k).
rewrite [X in X <= _](reindex_inj (@mulgI _ score_rank)); apply: leq_sum => s _.
by rewrite meeting_round_of_score_ranks mulKg; apply: T_squared_below_area.
Qed.

Variables h noise_values : 'I_m -> R.  (* noise_values has the noises by rank *)
Hypothesis scores_fall : forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Hypothesis noises_fall : forall x y : 'I_m, x <= y -> (noise_values y <= noise_values x)%R.

(** The rounds of the threshold algorithm if item i gets the noise of rank noise_rank i. *)
Definition rounds_with noise_rank :=
  rounds h (noise_values \o noise_rank) score_rank noise_rank k.

(** E[R] <= 1/2 + sqrt(mk + 1/4).
    Claim: ours:theorem-u. *)
Theorem theorem_u :
  (\sum_(noise_rank : 'S_m) (2 * rounds_with noise_rank - 1)) ^ 2 <= m`! ^ 2 * (4 * (m * k) + 1).
Proof.
pose T noise_rank := meeting_round k score_rank noise_rank.
apply: leq_trans (_ : (\sum_s (2 * T s - 1)) ^ 2 <= _).
  rewrite leq_exp2r //; apply: leq_sum => s _; apply/leq_sub2r/leq_mul => //.
  by apply: rounds_at_most_meeting_round => // i j; apply: noises_fall.
apply: leq_trans (cauchy_schwarz _) _.
rewrite card_permutations -mulnn -mulnA leq_mul2l; apply/orP; right.
have square s : (2 * T s - 1) ^ 2 = 4 * (T s * (T s).-1) + 1.
  by rewrite /T /meeting_round /first_round; nia.
under eq_bigr => s _ do rewrite square.
rewrite big_split /= -big_distrr /= sum1_card card_permutations mulnDr muln1 leq_add2r.
by rewrite [m`! * _]mulnC -mulnA leq_mul2l /=; apply: mean_square_of_meeting_round.
Qed.

End TheoremU.
