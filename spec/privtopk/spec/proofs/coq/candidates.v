(** Claim B: the number N of candidates of the two-phase algorithm after a prefix of r items.

    E[N] <= (m - r) k / (r + 1) for all scores and all continuous noise, with equality if the
    scores of the prefix are equal. Then P(N >= n) = P(Hyp(m, r, n + k - 1) <= k - 1); in general
    it is at most that. As in Theorem U, the mean is over the m! orders of the noise list.

    The idea: an unseen item is a candidate only if fewer than k items of the prefix come before it
    in the noise list. Among these r + 1 items it is equally likely at each place.

    Claims: ours:batched-candidates. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From mathcomp Require Import zify.
From privtopk Require Import batched hypergeometric lists.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory Num.Theory GRing.Theory.
Local Open Scope nat_scope.

Section Places.
Variables (m k : nat) (A : {set 'I_m}).
Hypothesis k_le : k <= #|A|.
Implicit Types (rank : 'S_m) (a b : 'I_m).

(** The place of an item among the items of A. *)
Definition place rank a := #|[set b in A | rank b < rank a]|.

Lemma place_lt rank a b : a \in A -> rank a < rank b -> place rank a < place rank b.
Proof.
move=> aA ab; apply/proper_card/properP; split.
  by apply/subsetP => c; rewrite !inE => /andP[-> ca]; apply: ltn_trans ab.
by exists a; rewrite !inE aA ?ab ?ltnn.
Qed.

Lemma place_inj rank : {in A &, injective (place rank)}.
Proof.
move=> a b aA bA same; apply/(@perm_inj _ rank)/val_inj/eqP => /=.
case: (ltngtP (rank a) (rank b)) => // [/(place_lt aA)|/(place_lt bA)]; by rewrite same ltnn.
Qed.

Lemma count_first_places rank : #|[set a in A | place rank a < k]| = k.
Proof.
pose places := [seq place rank a | a <- enum A].
have places_uniq : uniq places.
  by rewrite map_inj_in_uniq ?enum_uniq // => a b; rewrite !mem_enum; apply: place_inj.
have in_range : {subset places <= iota 0 #|A|}.
  move=> p /mapP[a]; rewrite mem_enum mem_iota add0n => aA ->.
  rewrite /= ltnNge; apply/negP => full.
  have : A \subset [set b in A | rank b < rank a].
    have sub : [set b in A | rank b < rank a] \subset A.
      by apply/subsetP => b; rewrite inE => /andP[].
    by move: full; rewrite /place -(geq_leqif (subset_leqif_card sub)).
  by move/subsetP/(_ a aA); rewrite inE ltnn andbF.
have enough : size (iota 0 #|A|) <= size places by rewrite size_iota size_map -cardE.
have [_ same] := uniq_min_size places_uniq in_range enough.
have all_places := uniq_perm places_uniq (iota_uniq _ _) same.
have -> : #|[set a in A | place rank a < k]| = count (fun p => p < k) places.
  rewrite /places count_map -size_filter -(card_uniqP (filter_uniq _ (enum_uniq _))).
  by apply: eq_card => a; rewrite mem_filter mem_enum inE andbC.
rewrite (seq.permP all_places) -(subnKC k_le) iotaD count_cat.
rewrite (eq_in_count (a2 := predT)) => [|p]; last by rewrite mem_iota => /andP[_ ->].
rewrite count_predT size_iota (eq_in_count (a2 := pred0)) ?count_pred0 ?addn0 // => p.
by rewrite mem_iota => /andP[k_le_p _]; rewrite ltnNge k_le_p.
Qed.

Lemma places_exchanged a b : a \in A -> b \in A ->
  #|[set rank | place rank a < k]| <= #|[set rank | place rank b < k]|.
Proof.
move=> aA bA; rewrite -(card_imset _ (@mulgI _ (tperm a b))).
apply/subset_leq_card/subsetP => s /imsetP[rank]; rewrite !inE => few ->; apply: leq_ltn_trans few.
rewrite /place -(card_imset _ (@perm_inj _ (tperm a b))).
apply/subset_leq_card/subsetP => d /imsetP[c].
rewrite !inE !permM tpermR => /andP[cA before] ->; rewrite before andbT.
by case: tpermP.
Qed.

Lemma places_are_uniform a : a \in A -> #|A| * #|[set rank | place rank a < k]| = k * m`!.
Proof.
move=> aA; rewrite -sum_nat_const.
rewrite (eq_bigr (fun b => #|[set rank | place rank b < k]|)); last first.
  by move=> b bA; apply/eqP; rewrite eqn_leq !places_exchanged.
under eq_bigr => b _ do rewrite -sum1_card big_mkcond /=.
rewrite exchange_big /= (eq_bigr (fun=> k)); last first.
  move=> rank _; rewrite -[RHS](count_first_places rank) -sum1_card -big_mkcondr /=.
  by apply: eq_bigl => b; rewrite !inE.
by rewrite sum_nat_const card_permutations mulnC.
Qed.

End Places.

Section Candidates.
Variables (R : realDomainType) (m k : nat).
Variables h noise_values : 'I_m -> R.  (* noise_values has the noises by rank *)
Variables (score_rank : 'S_m) (last : 'I_m).
Implicit Types (noise_rank : 'S_m) (i j x y : 'I_m).

Local Notation prefix := (prefix score_rank last).
Local Notation r := #|prefix|.

(** The candidates if item i gets the noise of rank noise_rank i. *)
Definition candidates_with noise_rank :=
  candidates h (noise_values \o noise_rank) score_rank last k.

Hypothesis scores_fall : forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Hypothesis noises_fall : forall x y, x < y -> (noise_values y < noise_values x)%R.
Hypothesis bounds : 1 <= k <= r.

(** Unseen items that fewer than k items of the prefix precede in the noise list. *)
Definition early_items noise_rank :=
  [set i in ~: prefix | #|[set j in prefix | noise_rank j < noise_rank i]| < k].

Lemma candidate_as_count noise_rank i : i \notin prefix ->
  (i \in candidates_with noise_rank) =
  (#|[set j in prefix | (h (score_rank^-1%g last) + noise_values (noise_rank i)
    <= h j + noise_values (noise_rank j))%R]| < k).
Proof.
by move=> unseen; rewrite inE [i \in ~: _]inE unseen /= /needed_noise ltr_subl_addl bar_lt.
Qed.

Lemma candidates_are_early noise_rank : candidates_with noise_rank \subset early_items noise_rank.
Proof.
apply/subsetP => i candidate.
have unseen : i \notin prefix by move: candidate; rewrite !inE => /andP[].
rewrite inE [i \in ~: _]inE unseen /=; move: candidate; rewrite candidate_as_count //.
apply: leq_ltn_trans; apply/subset_leq_card/subsetP => j; rewrite !inE => /andP[jp before].
by rewrite jp /= ler_add ?scores_fall ?permKV // ltW ?noises_fall.
Qed.

Lemma early_are_candidates noise_rank :
  (forall i, i \in prefix -> h i = h (score_rank^-1%g last)) ->
  early_items noise_rank \subset candidates_with noise_rank.
Proof.
move=> tied; apply/subsetP => i early.
have unseen : i \notin prefix by move: early; rewrite !inE => /andP[].
rewrite candidate_as_count //; move: early; rewrite inE => /andP[_]; apply: leq_ltn_trans.
apply/subset_leq_card/subsetP => j; rewrite !inE => /andP[jp above]; rewrite jp /=.
rewrite tied ?inE // ler_add2l in above; rewrite ltnNge leq_eqVlt; apply/negP => /orP[/eqP e|later].
  by have ij := perm_inj (val_inj e); move: unseen; rewrite ij inE jp.
by move: above; rewrite leNgt noises_fall.
Qed.

Lemma mean_early_items :
  (\sum_(noise_rank : 'S_m) #|early_items noise_rank|) * r.+1 = (m - r) * k * m`!.
Proof.
have -> : \sum_(noise_rank : 'S_m) #|early_items noise_rank|
    = \sum_(i in ~: prefix) #|[set rank | place (i |: prefix) rank i < k]|.
  rewrite [LHS](eq_bigr (fun rank => \sum_i if i \in early_items rank then 1 else 0)); last first.
    by move=> rank _; rewrite -sum1_card big_mkcond.
  rewrite exchange_big [RHS]big_mkcond /=; apply: eq_bigr => i _.
  case unseen: (i \in ~: prefix); last by rewrite big1 // => rank _; rewrite inE unseen.
  rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => rank _; rewrite inE unseen inE /=.
  congr (if _ < k then 1 else 0); apply: eq_card => j; rewrite !inE.
  by case: eqP => [->|]; rewrite ?ltnn ?andbF.
rewrite big_distrl /= (eq_bigr (fun=> k * m`!)); last first.
  move=> i; rewrite inE => unseen; have card_A : #|i |: prefix| = r.+1 by rewrite cardsU1 unseen.
  by rewrite mulnC -card_A places_are_uniform ?card_A ?setU11 //; lia.
by rewrite sum_nat_const cardsCs setCK card_ord mulnA.
Qed.

(** E[N] <= (m - r) k / (r + 1).
    Claim: ours:batched-candidates. *)
Theorem claim_b :
  (\sum_(noise_rank : 'S_m) #|candidates_with noise_rank|) * r.+1 <= (m - r) * k * m`!.
Proof.
rewrite -mean_early_items leq_mul2r /=; apply: leq_sum => noise_rank _.
exact/subset_leq_card/candidates_are_early.
Qed.

(** n items are early if and only if fewer than k of the first n + k - 1 items are in the prefix. *)
Lemma early_items_as_draw noise_rank n : 1 <= n <= m - r ->
  (n <= #|early_items noise_rank|) = (#|prefix :&: first_items noise_rank (n + k - 1)| < k).
Proof.
move=> n_bounds; set first := first_items noise_rank _.
have card_first : #|first| = n + k - 1 by apply: card_first_items; lia.
have split := cardsID prefix first; rewrite setIC card_first in split.
case: (ltnP #|prefix :&: first| k) => [few|many].
  have sub : first :\: prefix \subset early_items noise_rank.
    apply/subsetP => i; rewrite inE => /andP[unseen]; rewrite inE => i_first.
    rewrite inE [i \in ~: _]inE unseen; apply: leq_ltn_trans few.
    apply/subset_leq_card/subsetP => j; rewrite inE => /andP[jp before].
    by rewrite inE jp inE (ltn_trans before).
  by have := subset_leq_card sub; lia.
have sub : early_items noise_rank \subset first :\: prefix.
  apply/subsetP => i; rewrite inE [i \in ~: _]inE => /andP[unseen few]; rewrite inE unseen inE /=.
  rewrite ltnNge; apply/negP => late; move: few; rewrite ltnNge => /negP; apply.
  apply: leq_trans many (subset_leq_card _); apply/subsetP => j /setIP[jp]; rewrite inE => j_first.
  by rewrite jp; rewrite inE in j_first; apply: leq_trans j_first late.
by apply/negbTE; rewrite -ltnNge; have := subset_leq_card sub; lia.
Qed.

Lemma law_of_early_items n : 1 <= n <= m - r ->
  #|[set noise_rank | n <= #|early_items noise_rank|]| * 'C(m, n + k - 1)
    = m`! * draws_below m r (n + k - 1) k.
Proof.
move=> n_bounds; rewrite -marked_items_are_hypergeometric; last by lia.
by congr (_ * _); apply: eq_card => noise_rank; rewrite !inE early_items_as_draw.
Qed.

(** P(N >= n) <= P(Hyp(m, r, n + k - 1) <= k - 1).
    Claim: ours:batched-candidates. *)
Theorem candidates_are_few n : 1 <= n <= m - r ->
  #|[set noise_rank | n <= #|candidates_with noise_rank|]| * 'C(m, n + k - 1)
    <= m`! * draws_below m r (n + k - 1) k.
Proof.
move=> n_bounds; rewrite -law_of_early_items // leq_mul2r; apply/orP; right.
apply/subset_leq_card/subsetP => noise_rank; rewrite !inE => /leq_trans; apply.
exact/subset_leq_card/candidates_are_early.
Qed.

Hypothesis top_scores_are_equal : forall i, i \in prefix -> h i = h (score_rank^-1%g last).

Lemma candidates_if_equal noise_rank : candidates_with noise_rank = early_items noise_rank.
Proof. by apply/eqP; rewrite eqEsubset candidates_are_early early_are_candidates. Qed.

(** E[N] = (m - r) k / (r + 1) if the scores of the prefix are equal.
    Claim: ours:batched-candidates. *)
Theorem claim_b_is_attained :
  (\sum_(noise_rank : 'S_m) #|candidates_with noise_rank|) * r.+1 = (m - r) * k * m`!.
Proof.
by rewrite -mean_early_items; congr (_ * _); apply: eq_bigr => s _; rewrite candidates_if_equal.
Qed.

(** P(N >= n) = P(Hyp(m, r, n + k - 1) <= k - 1) if the scores of the prefix are equal.
    Claim: ours:batched-candidates. *)
Theorem law_of_candidates n : 1 <= n <= m - r ->
  #|[set noise_rank | n <= #|candidates_with noise_rank|]| * 'C(m, n + k - 1)
    = m`! * draws_below m r (n + k - 1) k.
Proof.
move=> n_bounds; rewrite -law_of_early_items //; congr (_ * _).
by apply: eq_card => s; rewrite !inE candidates_if_equal.
Qed.

End Candidates.
