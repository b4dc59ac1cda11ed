(** The two-phase algorithm, for all m, k, prefixes, scores and noises: it loses no winner (the
    core of Claim A).

    Claims: ours:batched-exact, ours:batched-candidates. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import lists.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory Num.Theory GRing.Theory.
Local Open Scope nat_scope.

Section KthBest.
Variable R : realDomainType.
Implicit Types (values : seq R) (k : nat).

Definition kth_best k values := nth 0%R (sort >=%R values) k.-1.

Lemma sorted_kth_lt values k x : sorted >=%R values -> 1 <= k <= size values ->
  (nth 0%R values k.-1 < x)%R = (count (fun y => x <= y)%R values < k).
Proof.
elim: values k => [|y values IH] k; first by case: k.
case: k => // k; rewrite /= => falls k_le.
have below : all (fun a => a <= y)%R values.
  by apply: order_path_min falls => a b c ba cb; apply: le_trans cb ba.
case: (lerP x y) => [xy|yx]; last first.
  rewrite (eq_in_count (a2 := pred0)) ?count_pred0; last first.
    by move=> a /(allP below) ay; rewrite leNgt (le_lt_trans ay yx).
  case: k k_le => [_|k k_le]; rewrite /= ?yx //.
  by rewrite (le_lt_trans _ yx) // (allP below) // mem_nth.
case: k k_le => [_|k k_le] /=; first by rewrite ltNge xy.
by rewrite add1n ltnS (IH k.+1) // (path_sorted falls).
Qed.

Lemma kth_best_lt values k x : 1 <= k <= size values ->
  (kth_best k values < x)%R = (count (fun y => x <= y)%R values < k).
Proof.
move=> bounds; rewrite /kth_best sorted_kth_lt ?size_sort //; last first.
  by apply: sort_sorted => a b; rewrite /= le_total.
by rewrite (seq.permP (permEl (perm_sort _ _))).
Qed.

End KthBest.

Section Batched.
Variable R : realDomainType.  (* integers, rationals or reals *)
Variable m : nat.
Variables h z : 'I_m -> R.  (* the score and the noise of each item *)
Variable score_rank : 'S_m.
Variable last : 'I_m.  (* phase one reads the last + 1 items of rank 0, ..., last *)
Variable k : nat.
Implicit Types i j : 'I_m.

Local Notation noisy_score := (noisy_score h z).

Definition prefix := [set i | score_rank i <= last].

(** M_k: the k-th best noisy score of the prefix. *)
Definition bar := kth_best k [seq noisy_score i | i <- enum prefix].

(** B: an unseen item can enter only with a larger noise. *)
Definition needed_noise := (bar - h (score_rank^-1%g last))%R.

(** Items whose scores phase two reads by random access. *)
Definition candidates := [set i in ~: prefix | (needed_noise < z i)%R].

Hypothesis scores_fall : forall i j, score_rank i <= score_rank j -> (h j <= h i)%R.
Hypothesis k_le_prefix : 1 <= k <= #|prefix|.

Lemma bar_lt x : (bar < x)%R = (#|[set i in prefix | (x <= noisy_score i)%R]| < k).
Proof.
rewrite /bar kth_best_lt ?size_map -?cardE // count_map -size_filter.
congr (_ < k); rewrite cardE; apply/perm_size/uniq_perm.
- exact/filter_uniq/enum_uniq.
- exact: enum_uniq.
- by move=> i; rewrite mem_filter !mem_enum !inE andbC.
Qed.

Lemma best_reach_bar (best : {set 'I_m}) : #|best| = k ->
  (forall i j, i \in prefix -> i \notin best -> j \in best ->
    (noisy_score i <= noisy_score j)%R) ->
  forall j, j \in best -> (bar <= noisy_score j)%R.
Proof.
move=> card_best best_read j jB; rewrite leNgt; apply/negP => low.
pose high := [set i in prefix | (bar <= noisy_score i)%R].
have k_high : k <= #|high| by rewrite leqNgt -bar_lt ltxx.
have sub : high \subset best :\ j.
  apply/subsetP => i; rewrite !inE => /andP[ip hi].
  have v_lt := lt_le_trans low hi.
  case: eqP => [e|_] /=; first by move: v_lt; rewrite e ltxx.
  by apply: contraLR v_lt => iB; rewrite -leNgt best_read // inE.
have := subset_leq_card sub.
by rewrite leqNgt (leq_trans _ k_high) // -card_best (cardsD1 j best) jB.
Qed.

(** The k best of all items that the two phases read are the k best of all items.
    Claim: ours:batched-exact. *)
Theorem two_phases_lose_nobody (best : {set 'I_m}) : #|best| = k ->
  (forall i j, i \in prefix :|: candidates -> i \notin best -> j \in best ->
    (noisy_score i <= noisy_score j)%R) ->
  forall i j, i \notin best -> j \in best -> (noisy_score i <= noisy_score j)%R.
Proof.
move=> card_best best_read i j iB jB.
case read: (i \in prefix :|: candidates); first exact: best_read.
have reach : (bar <= noisy_score j)%R.
  by apply: (best_reach_bar card_best) jB => a b ap; apply: best_read; rewrite inE ap.
move: read; rewrite !inE; case: leqP => //= unseen; rewrite ltNge => /negbFE low.
apply: le_trans reach.
rewrite /noisy_score -(subrK (h (score_rank^-1%g last)) bar) addrC ler_add //.
by apply: scores_fall; rewrite permKV ltnW.
Qed.

End Batched.
