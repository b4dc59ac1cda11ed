(** The two sorted lists of Algorithm 3, and the rounds of the threshold algorithm.

    There are m items. A list is the permutation that maps each item to its rank; ranks start at 0,
    so round r + 1 reads the items of rank r. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory Num.Theory.
Local Open Scope nat_scope.

Section Lists.
Variable m : nat.
Implicit Types (i : 'I_m) (score_rank noise_rank : 'S_m) (k : nat).

(** The items among the first r of both lists. *)
Definition common_items score_rank noise_rank (r : nat) :=
  [set i | (score_rank i < r) && (noise_rank i < r)].

(** The number of the first rank at which a condition holds, plus one; m + 1 if it never does. *)
Definition first_round (condition : pred 'I_m) := (find condition (enum 'I_m)).+1.

(** T: the first round after which the lists have k items in common. *)
Definition meeting_round k score_rank noise_rank :=
  first_round (fun r => k <= #|common_items score_rank noise_rank r.+1|).

Lemma first_roundP (condition : pred 'I_m) (r : 'I_m) :
  condition r -> first_round condition <= r.+1.
Proof.
move=> cr; rewrite ltnS leqNgt; apply/negP => lt.
have sr : r < size (enum 'I_m) by rewrite size_enum_ord.
by move: (before_find r lt); rewrite nth_ord_enum cr.
Qed.

Lemma before_first_round (condition : pred 'I_m) (r : 'I_m) :
  r.+1 < first_round condition -> ~~ condition r.
Proof. by rewrite ltnS => lt; move: (before_find r lt); rewrite nth_ord_enum => ->. Qed.

Lemma first_round_mono (P Q : pred 'I_m) :
  (forall r, P r -> Q r) -> first_round Q <= first_round P.
Proof. by move=> PQ; rewrite ltnS; apply: sub_find. Qed.

Lemma meeting_round_le_m k score_rank noise_rank :
  1 <= k <= m -> meeting_round k score_rank noise_rank <= m.
Proof.
case/andP=> k_gt0 km; have m_gt0 := leq_trans k_gt0 km.
have last : m.-1 < m by rewrite prednK.
rewrite -[X in _ <= X](prednK m_gt0); apply: (@first_roundP _ (Ordinal last)) => /=.
rewrite prednK // (_ : common_items _ _ _ = setT) ?cardsT ?card_ord //.
by apply/setP => i; rewrite !inE !ltn_ord.
Qed.

(** Every score vector has a sorted list: each item once, in non-increasing order of score.
    Claim: model:sorted-access. *)
Theorem sorted_list_exists (R : realDomainType) (h : 'I_m -> R) :
  exists score_rank : 'S_m, forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Proof.
pose order i j := (h j <= h i)%R; pose items := sort order (enum 'I_m).
have all_items i : i \in items by rewrite mem_sort mem_enum.
have index_lt i : index i items < m.
  by rewrite -[X in _ < X]size_enum_ord -(size_sort order) index_mem.
have rank_inj : injective (fun i => Ordinal (index_lt i)).
  by move=> i j [e]; rewrite -(nth_index i (all_items i)) e nth_index.
exists (perm rank_inj) => i j; rewrite !permE /= leq_eqVlt => /orP[/eqP e|earlier].
  by rewrite (rank_inj i j) //; apply: val_inj.
have order_trans : transitive order by move=> b a c ab bc; apply: le_trans bc ab.
have order_total : total order by move=> a b; apply: le_total.
exact: (sorted_ltn_index order_trans (sort_sorted order_total _)) earlier.
Qed.

End Lists.

(** v: the score of an item plus its noise. *)
Definition noisy_score (R : realDomainType) m (h z : 'I_m -> R) i := (h i + z i)%R.
