(** The exact law of the meeting round: P(T > r) = P(Hyp(m, r, r) <= k - 1).

    The probability is over the m! orders of the noise list. Multiplied out, it is an equation
    between whole numbers.

    Claims: ours:rounds-law. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import lists hypergeometric.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

Section RoundsLaw.
Variables m k : nat.
Hypothesis k_gt0 : 0 < k.
Implicit Types (score_rank noise_rank : 'S_m) (r : nat).

Lemma common_items_grow score_rank noise_rank r n : r <= n ->
  #|common_items score_rank noise_rank r| <= #|common_items score_rank noise_rank n|.
Proof.
move=> rn; apply/subset_leq_card/subsetP => i; rewrite !inE => /andP[a b].
by rewrite !(leq_trans _ rn).
Qed.

Lemma lists_meet_after score_rank noise_rank r : r <= m ->
  (r < meeting_round k score_rank noise_rank) = (#|common_items score_rank noise_rank r| < k).
Proof.
move=> rm; apply/idP/idP => [|few].
  case: r rm => [|r] rm late; last by rewrite ltnNge (before_first_round (r := Ordinal rm) late).
  by rewrite (_ : common_items _ _ _ = set0) ?cards0 //; apply/setP => i; rewrite !inE.
rewrite ltnNge; apply/negP => early; move: few; rewrite ltnNge => /negP; apply.
pose meets (x : 'I_m) := k <= #|common_items score_rank noise_rank x.+1|.
have met : has meets (enum 'I_m) by rewrite has_find size_enum_ord (leq_trans early).
have x_lt : find meets (enum 'I_m) < m by rewrite -[X in _ < X]size_enum_ord -has_find.
have := nth_find (Ordinal x_lt) met; rewrite (nth_ord_enum _ (Ordinal x_lt)).
by move/leq_trans; apply; apply: common_items_grow.
Qed.

(** P(T > r) = P(Hyp(m, r, r) <= k - 1), whatever the scores are.
    Claim: ours:rounds-law. *)
Theorem law_of_the_meeting_round score_rank r : r <= m ->
  #|[set noise_rank | r < meeting_round k score_rank noise_rank]| * 'C(m, r)
    = m`! * draws_below m r r k.
Proof.
move=> rm; rewrite -[X in draws_below m X](card_first_items score_rank rm).
rewrite -marked_items_are_hypergeometric //; congr (_ * _); apply: eq_card => noise_rank.
rewrite !inE lists_meet_after //; congr (_ < k); by apply: eq_card => i; rewrite !inE.
Qed.

End RoundsLaw.
