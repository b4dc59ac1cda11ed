(** Drawing without replacement: of the first n items of a uniform permutation, the number of marked
    ones has the law Hyp(m, marked, n).

    Claims: lem:permutation-and-independence. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

(** How many of the 'C(population, draws) draws have fewer than k marked items. *)
Definition draws_below population marked draws k :=
  \sum_(x < k | x <= draws) 'C(marked, x) * 'C(population - marked, draws - x).

Section FirstItems.
Variable m : nat.
Implicit Types (i : 'I_m) (rank : 'S_m) (A B C M : {set 'I_m}) (n k : nat).

Lemma card_permutations : #|{: 'S_m}| = m`!.
Proof. by rewrite -card_Sn; apply: eq_card => s; rewrite !inE. Qed.

(** The first n items of a list. *)
Definition first_items rank n := [set i | rank i < n].

Lemma list_that_starts_with A : exists rank, first_items rank #|A| = A.
Proof.
pose items := enum A ++ enum (~: A).
have all_items i : i \in items by rewrite mem_cat !mem_enum inE orbN.
have size_items : size items = m by rewrite size_cat -!cardE cardsC card_ord.
have index_lt i : index i items < m by rewrite -[X in _ < X]size_items index_mem.
have rank_inj : injective (fun i => Ordinal (index_lt i)).
  by move=> i j [e]; rewrite -(nth_index i (all_items i)) e nth_index.
exists (perm rank_inj); apply/setP => i; rewrite inE permE /= index_cat mem_enum.
case: ifP => iA; first by rewrite cardE index_mem mem_enum iA.
by apply/negbTE; rewrite -leqNgt cardE leq_addr.
Qed.

Lemma card_ranks_below n : n <= m -> #|[set x : 'I_m | x < n]| = n.
Proof.
move=> nm; rewrite -sum1_card (eq_bigl (fun x : 'I_m => x < n)); last by move=> x; rewrite inE.
by rewrite -(big_ord_widen m (fun=> 1) nm) sum1_card card_ord.
Qed.

Lemma card_first_items rank n : n <= m -> #|first_items rank n| = n.
Proof.
move=> nm; rewrite -[RHS]card_ranks_below // -(card_imset _ (@perm_inj _ rank)).
apply: eq_card => x; rewrite inE; apply/imsetP/idP => [[i]|xn]; first by rewrite inE => ? ->.
by exists (rank^-1%g x); rewrite ?inE permKV.
Qed.

Lemma lists_with_the_same_start A B n : #|A| = n -> #|B| = n ->
  #|[set rank | first_items rank n == A]| <= #|[set rank | first_items rank n == B]|.
Proof.
move=> An Bn; have [a aA] := list_that_starts_with A; have [b bB] := list_that_starts_with B.
rewrite -(card_imset _ (@mulgI _ (b * a^-1)%g)); apply/subset_leq_card/subsetP => s /imsetP[rank].
rewrite !inE => /eqP rankA ->; apply/eqP/setP => i; rewrite inE permM.
have -> : (rank ((b * a^-1)%g i) < n) = ((b * a^-1)%g i \in A) by rewrite -rankA inE.
by rewrite permM -{1}aA inE permKV An -Bn -[in RHS]bB inE.
Qed.

(** Each set of n items is equally often the start of a list. *)
Lemma starts_are_uniform (P : pred {set 'I_m}) n : n <= m ->
  #|[set rank | P (first_items rank n)]| * 'C(m, n)
    = m`! * #|[set A : {set 'I_m} | (#|A| == n) && P A]|.
Proof.
move=> nm; have [A0 /eqP A0n] : exists A : {set 'I_m}, #|A| == n.
  by exists (first_items 1%g n); rewrite card_first_items.
pose N := #|[set rank | first_items rank n == A0]|.
have by_start (Q : pred {set 'I_m}) :
    #|[set rank | Q (first_items rank n)]| = #|[set A : {set 'I_m} | (#|A| == n) && Q A]| * N.
  pose starts := [set A : {set 'I_m} | (#|A| == n) && Q A].
  rewrite -/starts -sum1_card (partition_big (first_items^~ n) (mem starts)) /=.
    rewrite -sum_nat_const; apply: eq_bigr => A; rewrite inE => /andP[/eqP An QA].
    have -> : N = #|[set rank | first_items rank n == A]|.
      by apply/eqP; rewrite eqn_leq !lists_with_the_same_start.
    rewrite sum1_card; apply: eq_card => rank; rewrite unfold_in !inE.
    by case: eqP => [->|_]; rewrite ?QA ?andbF.
  by move=> rank; rewrite !inE card_first_items // eqxx.
have all_starts : m`! = 'C(m, n) * N.
  rewrite -card_permutations -cardsT (_ : setT = [set rank | predT (first_items rank n)]).
    rewrite by_start; congr (_ * N); have := card_draws [finType of 'I_m] n; rewrite card_ord => <-.
    by apply: eq_card => A; rewrite !inE andbT.
  by apply/setP => rank; rewrite !inE.
by rewrite by_start all_starts [RHS]mulnC [X in _ = _ * X]mulnC mulnA.
Qed.

Lemma card_sets_with_marked M n x : x <= n ->
  #|[set A : {set 'I_m} | (#|A| == n) && (#|M :&: A| == x)]| = 'C(#|M|, x) * 'C(m - #|M|, n - x).
Proof.
move=> xn.
pose inside := [set B : {set 'I_m} | B \subset M & #|B| == x].
pose outside := [set B : {set 'I_m} | B \subset ~: M & #|B| == n - x].
have <- : #|setX inside outside| = 'C(#|M|, x) * 'C(m - #|M|, n - x).
  by rewrite cardsX !cards_draws [#|~: M|]cardsCs setCK card_ord.
pose union (p : {set 'I_m} * {set 'I_m}) := p.1 :|: p.2.
have marked_part B C : B \subset M -> C \subset ~: M -> M :&: (B :|: C) = B.
  move=> BM CM; rewrite setIUr (setIidPr BM) -[RHS]setU0; congr (_ :|: _).
  by apply/eqP; rewrite setI_eq0 disjoint_sym disjoints_subset.
have other_part B C : B \subset M -> C \subset ~: M -> (B :|: C) :\: M = C.
  move=> BM CM; rewrite setDUl -[RHS]set0U; congr (_ :|: _); first by apply/eqP; rewrite setD_eq0.
  by apply/setDidPl; rewrite disjoints_subset.
have union_inj : {in setX inside outside &, injective union}.
  move=> [B C] [B' C']; rewrite !inE.
  move=> /andP[/andP[BM _] /andP[CM _]] /andP[/andP[B'M _] /andP[C'M _]].
  rewrite /union /= in BM CM B'M C'M * => e; congr (_, _).
    by rewrite -(marked_part _ _ BM CM) e marked_part.
  by rewrite -(other_part _ _ BM CM) e other_part.
rewrite -(card_in_imset union_inj); apply: eq_card => A; rewrite inE; apply/andP/imsetP.
  move=> [/eqP An /eqP Ax]; exists (M :&: A, A :\: M); last by rewrite /union /= setIC setID.
  rewrite !inE /= subsetIl Ax eqxx setDE subsetIr /= -setDE.
  by rewrite -(eqn_add2l x) subnKC // -{1}Ax setIC cardsID An.
move=> [[B C]]; rewrite !inE /= => /andP[/andP[BM /eqP Bx] /andP[CM /eqP Cx]] ->.
rewrite /union /= marked_part // Bx eqxx; split=> //.
by rewrite -(cardsID M (B :|: C)) setIC marked_part // other_part // Bx Cx subnKC.
Qed.

Lemma card_sets_below M n k :
  #|[set A : {set 'I_m} | (#|A| == n) && (#|M :&: A| < k)]| = draws_below m #|M| n k.
Proof.
rewrite /draws_below; elim: k => [|k IH].
  rewrite big_ord0; apply/eqP; rewrite cards_eq0; apply/eqP/setP => A; rewrite !inE andbF //.
rewrite big_mkcond big_ord_recr -big_mkcond -IH /=.
pose at_k := [set A : {set 'I_m} | (#|A| == n) && (#|M :&: A| == k)].
have -> : (if k <= n then 'C(#|M|, k) * 'C(m - #|M|, n - k) else 0) = #|at_k|.
  case: leqP => [kn|nk]; first by rewrite card_sets_with_marked.
  apply/esym/eqP; rewrite cards_eq0; apply/eqP/setP => A; rewrite !inE.
  apply/negbTE/negP => /andP[/eqP An /eqP Ak]; move: nk; rewrite -Ak -An ltnNge.
  by rewrite subset_leq_card // subsetIr.
rewrite -cardsUI [X in _ = _ + X](_ : _ = 0) ?addn0.
  by apply: eq_card => A; rewrite !inE -andb_orr ltnS leq_eqVlt orbC.
apply/eqP; rewrite cards_eq0; apply/eqP/setP => A; rewrite !inE.
by case: ltngtP; rewrite !(andbF, andFb).
Qed.

(** Of the first n items of a uniform permutation, fewer than k are marked with the probability
    P(Hyp(m, marked, n) <= k - 1).
    Claim: lem:permutation-and-independence. *)
Theorem marked_items_are_hypergeometric M n k : n <= m ->
  #|[set rank | #|M :&: first_items rank n| < k]| * 'C(m, n) = m`! * draws_below m #|M| n k.
Proof. by move=> nm; rewrite -card_sets_below (starts_are_uniform (fun A => #|M :&: A| < k)). Qed.

End FirstItems.
