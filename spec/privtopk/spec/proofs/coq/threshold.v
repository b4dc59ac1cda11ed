(** The threshold algorithm on scores and noise (Algorithms 1 and 3), for all m, k, scores and
    noises.

    Claims: algo:threshold-algorithm, ours:rounds-law. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import lists.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory Num.Theory.
Local Open Scope nat_scope.

Section Threshold.
Variable R : realDomainType.  (* integers, rationals or reals *)
Variable m : nat.
Variables h z : 'I_m -> R.  (* the score and the noise of each item *)
Variables score_rank noise_rank : 'S_m.
Implicit Types (i j : 'I_m) (r : 'I_m) (k : nat).

Local Notation noisy_score := (noisy_score h z).

(** Items that were read in the rounds up to r + 1. *)
Definition seen r i := (score_rank i <= r) || (noise_rank i <= r).

(** The sum of the last two values read: line 10. *)
Definition threshold r := (h (score_rank^-1%g r) + z (noise_rank^-1%g r))%R.

(** Line 11: k items that were seen reach the threshold. *)
Definition stops k r := k <= #|[set i | seen r i && (threshold r <= noisy_score i)%R]|.

(** R: the number of rounds that the algorithm runs. *)
Definition rounds k := first_round (stops k).

Hypothesis scores_fall : forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Hypothesis noises_fall : forall i j, noise_rank i <= noise_rank j -> (z j <= z i)%R.

Lemma unseen_is_below r i : ~~ seen r i -> (noisy_score i <= threshold r)%R.
Proof.
rewrite negb_or -!ltnNge => /andP[in_scores in_noises].
by apply: ler_add; [apply: scores_fall | apply: noises_fall]; rewrite permKV ltnW.
Qed.

Lemma common_is_above r i :
  i \in common_items score_rank noise_rank r.+1 -> (threshold r <= noisy_score i)%R.
Proof.
rewrite inE !ltnS => /andP[in_scores in_noises].
by apply: ler_add; [apply: scores_fall | apply: noises_fall]; rewrite permKV.
Qed.

(** If items that reach the threshold are the best of those seen, they are the best of all.
    Claim: algo:threshold-algorithm, algo:private-threshold. *)
Theorem stopping_rule_is_sound r (best : {set 'I_m}) :
  (forall j, j \in best -> (threshold r <= noisy_score j)%R) ->
  (forall i j, seen r i -> i \notin best -> j \in best -> (noisy_score i <= noisy_score j)%R) ->
  forall i j, i \notin best -> j \in best -> (noisy_score i <= noisy_score j)%R.
Proof.
move=> reach best_seen i j iB jB; case Si: (seen r i); first exact: best_seen Si iB jB.
by apply: le_trans (reach j jB); apply: unseen_is_below; rewrite Si.
Qed.

Lemma common_items_stop k r :
  k <= #|common_items score_rank noise_rank r.+1| -> stops k r.
Proof.
move/leq_trans; apply; apply/subset_leq_card/subsetP => i common.
rewrite inE common_is_above // andbT.
by move: common; rewrite inE !ltnS /seen => /andP[->].
Qed.

(** R <= T: the run is over at the latest when the lists have k items in common.
    Claim: ours:rounds-law. *)
Theorem rounds_at_most_meeting_round k : rounds k <= meeting_round k score_rank noise_rank.
Proof. by apply: first_round_mono => r; apply: common_items_stop. Qed.

(** For 1 <= k <= m the run ends within m rounds.
    Claim: algo:threshold-algorithm. *)
Theorem run_ends_within_m_rounds k : 1 <= k <= m -> rounds k <= m.
Proof.
move=> bounds; apply: leq_trans (rounds_at_most_meeting_round k) _.
exact: meeting_round_le_m.
Qed.

End Threshold.
