(** Peeling is one-shot, for whole weights.

    Give each item as many tickets as its weight, and put all tickets into a uniform order: that is
    one noise per ticket, and an item is as good as its best ticket. The ranking of the items by
    their first tickets has the law of peeling: items are drawn one by one without replacement,
    each with a probability proportional to its weight. With Gumbel noise the weight of an item is
    e^(eps h); the best of w tickets has the noise of one ticket plus ln(w)/eps.

    The idea: exchange two tickets of items that have not appeared. This changes nothing before
    they appear, so the next new ticket is equally likely each of them.

    Claims: rel:peeling. *)
From mathcomp Require Import all_ssreflect all_algebra fingroup perm.
From privtopk Require Import hypergeometric.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.

Section FirstAppearances.
Variable Item : eqType.
Implicit Types (xs ranking : seq Item) (i : Item).

(** A list without repetitions: every item at its first place. *)
Fixpoint first_appearances xs :=
  if xs is x :: rest then x :: [seq y <- first_appearances rest | y != x] else [::].

Lemma filter_first_appearances (p : pred Item) xs :
  filter p (first_appearances xs) = first_appearances (filter p xs).
Proof.
elim: xs => //= x xs IH; rewrite -filter_predI; case: ifP => /= px.
  by rewrite -IH -!filter_predI; congr (_ :: _); apply: eq_filter => y /=; rewrite andbC.
by rewrite -IH; apply: eq_filter => y /=; case: eqP => [->|_]; rewrite ?px ?andbT.
Qed.

Lemma first_appearances_uniq xs : uniq (first_appearances xs).
Proof. by elim: xs => //= x xs IH; rewrite filter_uniq // mem_filter eqxx. Qed.

Lemma next_to_appear xs ranking i :
  (take (size ranking).+1 (first_appearances xs) == rcons ranking i) =
  (take (size ranking) (first_appearances xs) == ranking)
    && (ohead [seq x <- xs | x \notin ranking] == Some i).
Proof.
set all_items := first_appearances xs.
case: (take (size ranking) all_items =P ranking) => [e|ne] /=; last first.
  apply/negbTE/eqP => e; apply: ne; have := congr1 (take (size ranking)) e.
  by rewrite take_take // -cats1 take_size_cat.
pose rest := drop (size ranking) all_items.
have split : all_items = ranking ++ rest by rewrite -{1}e cat_take_drop.
have -> : ohead [seq x <- xs | x \notin ranking] = ohead rest.
  have -> : rest = first_appearances [seq x <- xs | x \notin ranking].
    rewrite -filter_first_appearances -/all_items split filter_cat.
    have := first_appearances_uniq xs; rewrite -/all_items split cat_uniq => /and3P[_ disjoint _].
    rewrite (eq_in_filter (a2 := pred0)) ?filter_pred0 => [|x ->//].
    by apply/esym/all_filterP; rewrite all_predC.
  by case: (filter _ xs).
rewrite split take_cat ltnNge leqnSn subSn // subnn -cats1 eqseq_cat // eqxx /=.
by case: (rest) => [|y others] //=; rewrite take0 eqseq_cons andbT.
Qed.

End FirstAppearances.

Section Peeling.
Variables (n : nat) (Item : finType) (owner : 'I_n -> Item).
Implicit Types (tickets : seq 'I_n) (order : 'S_n) (a b : 'I_n).
Implicit Types (i : Item) (ranking seen : seq Item).

Definition weight i := #|[set a | owner a == i]|.

Definition remaining_weight seen := \sum_(i | i \notin seen) weight i.

(** The tickets in the order of the draw; the order maps places to tickets. *)
Definition drawn order := [seq order place | place <- enum 'I_n].

(** The items in the order of their first tickets. *)
Definition ranking_of tickets := first_appearances [seq owner a | a <- tickets].

Definition starts_with ranking tickets := take (size ranking) (ranking_of tickets) == ranking.

Definition next_ticket seen tickets := ohead [seq a <- tickets | owner a \notin seen].

Lemma starts_with_rcons ranking i tickets :
  starts_with (rcons ranking i) tickets =
  starts_with ranking tickets && (omap owner (next_ticket ranking tickets) == Some i).
Proof.
rewrite /starts_with size_rcons next_to_appear; congr (_ && (_ == _)).
by rewrite filter_map /next_ticket; case: (filter _ tickets).
Qed.

Lemma next_ticket_exchanged seen a b tickets : owner a \notin seen -> owner b \notin seen ->
  next_ticket seen [seq tperm a b c | c <- tickets] = omap (tperm a b) (next_ticket seen tickets).
Proof.
move=> sa sb; rewrite /next_ticket filter_map.
rewrite (eq_filter (a2 := fun c => owner c \notin seen)); first by case: (filter _ tickets).
by move=> c /=; case: tpermP => [->|->|]; rewrite ?sa ?sb.
Qed.

Lemma starts_with_exchanged ranking a b tickets :
  owner a \notin ranking -> owner b \notin ranking ->
  starts_with ranking [seq tperm a b c | c <- tickets] = starts_with ranking tickets.
Proof.
elim/last_ind: ranking => [|ranking i IH]; first by rewrite /starts_with !take0.
rewrite !mem_rcons !inE !negb_or => /andP[ai ra] /andP[bi rb].
rewrite !starts_with_rcons IH // next_ticket_exchanged //; congr (_ && _).
case: (next_ticket _ _) => [c|//] /=.
rewrite -[Some _ == Some i]/(owner _ == i) -[RHS]/(owner c == i).
by case: tpermP => [->|->|//]; rewrite (negbTE ai) (negbTE bi).
Qed.

(** The orders that start with a ranking and go on with a certain new ticket. *)
Definition orders_with_next ranking a :=
  [set order | starts_with ranking (drawn order) && (next_ticket ranking (drawn order) == Some a)].

Lemma next_tickets_are_uniform ranking a b : owner a \notin ranking -> owner b \notin ranking ->
  #|orders_with_next ranking a| <= #|orders_with_next ranking b|.
Proof.
move=> ra rb; rewrite -(card_imset _ (@mulIg _ (tperm a b))).
apply/subset_leq_card/subsetP => s /imsetP[order]; rewrite !inE => /andP[starts /eqP next] ->.
have -> : drawn (order * tperm a b)%g = [seq tperm a b c | c <- drawn order].
  by rewrite /drawn -map_comp; apply: eq_map => place; rewrite /= permM.
by rewrite starts_with_exchanged // starts next_ticket_exchanged // next /= tpermL.
Qed.

Lemma card_as_weights (p : pred Item) : #|[set a | p (owner a)]| = \sum_(i | p i) weight i.
Proof.
rewrite -sum1_card (partition_big owner p) /= => [|a]; last by rewrite inE.
apply: eq_bigr => i pi; rewrite sum1_card; apply: eq_card => a; rewrite unfold_in !inE.
by case: eqP => [->|_]; rewrite ?pi ?andbF.
Qed.

Definition orders_starting_with ranking := [set order | starts_with ranking (drawn order)].

Lemma one_more_item ranking i : i \notin ranking ->
  #|orders_starting_with (rcons ranking i)| * remaining_weight ranking
    = #|orders_starting_with ranking| * weight i.
Proof.
move=> new; rewrite /remaining_weight -(card_as_weights (fun i => i \notin ranking)).
pose unseen := [set a | owner a \notin ranking].
case: (set_0Vmem unseen) => [none|[a0 a0_unseen]].
  rewrite -/unseen none cards0 muln0; apply/esym/eqP; rewrite muln_eq0; apply/orP; right.
  by rewrite cards_eq0 -subset0 -none; apply/subsetP => a; rewrite !inE => /eqP ->.
pose N := #|orders_with_next ranking a0|.
have count_next a : a \in unseen -> #|orders_with_next ranking a| = N.
  rewrite inE => a_unseen; rewrite inE in a0_unseen.
  by apply/eqP; rewrite eqn_leq !next_tickets_are_uniform.
have next_exists order : exists2 a, a \in unseen & next_ticket ranking (drawn order) = Some a.
  rewrite /next_ticket; case e: (filter _ _) => [|a rest].
    have : a0 \in [seq a <- drawn order | owner a \notin ranking].
      rewrite mem_filter; rewrite inE in a0_unseen; rewrite a0_unseen.
      by apply/mapP; exists ((order^-1)%g a0); rewrite ?mem_enum ?permKV.
    by rewrite e.
  exists a => //.
  have : a \in [seq a <- drawn order | owner a \notin ranking] by rewrite e mem_head.
  by rewrite mem_filter inE => /andP[].
have by_next (p : pred Item) : (forall i, p i -> i \notin ranking) ->
    #|[set order | starts_with ranking (drawn order)
        && (if next_ticket ranking (drawn order) is Some a then p (owner a) else false)]|
    = #|[set a | p (owner a)]| * N.
  move=> p_new; pose next order := odflt a0 (next_ticket ranking (drawn order)).
  rewrite -sum1_card (partition_big next (mem [set a | p (owner a)])) /= => [|order].
    rewrite -sum_nat_const; apply: eq_bigr => a; rewrite inE => pa.
    rewrite -(count_next a) ?inE ?p_new // sum1_card.
    apply: eq_card => order; rewrite unfold_in !inE /next.
    have [b _ ->] := next_exists order; rewrite /= -[Some b == Some a]/(b == a).
    by case: eqP => [->|_]; rewrite ?pa ?andbT ?andbF.
  by rewrite !inE /next => /andP[_]; case: (next_ticket _ _).
have -> : #|orders_starting_with (rcons ranking i)| = weight i * N.
  rewrite /weight -(by_next (pred1 i)) => [|j /eqP -> //]; apply: eq_card => order.
  by rewrite !inE starts_with_rcons; case: (next_ticket _ _).
have -> : #|orders_starting_with ranking| = #|unseen| * N.
  rewrite -(by_next (fun i => i \notin ranking)) //; apply: eq_card => order; rewrite !inE.
  by have [a a_unseen ->] := next_exists order; move: a_unseen; rewrite inE => ->; rewrite andbT.
by rewrite [LHS]mulnC [weight i * N]mulnC mulnA.
Qed.

(** The ranking by first tickets starts with i_1, ..., i_k with the probability of peeling: the
    product of weight i_j / (the weight that remains before step j).
    Claim: rel:peeling. *)
Theorem peeling_is_one_shot ranking : uniq ranking ->
  #|[set order | take (size ranking) (ranking_of (drawn order)) == ranking]|
    * \prod_(j < size ranking) remaining_weight (take j ranking)
  = n`! * \prod_(i <- ranking) weight i.
Proof.
rewrite -[[set order | _]]/(orders_starting_with ranking).
elim/last_ind: ranking => [_|ranking i IH].
  rewrite big_ord0 big_nil !muln1 -card_permutations -cardsT; apply: eq_card => order.
  by rewrite !inE /starts_with take0.
rewrite rcons_uniq => /andP[new uniq_ranking].
have -> : \prod_(j < size (rcons ranking i)) remaining_weight (take j (rcons ranking i))
    = remaining_weight ranking * \prod_(j < size ranking) remaining_weight (take j ranking).
  rewrite size_rcons big_ord_recr /= mulnC -cats1 take_size_cat //; congr (_ * _).
  by apply: eq_bigr => j _; rewrite takel_cat // ltnW.
have -> : \prod_(j <- rcons ranking i) weight j = (\prod_(j <- ranking) weight j) * weight i.
  by rewrite -cats1 big_cat big_seq1.
by rewrite [RHS]mulnA -IH // mulnA one_more_item // mulnAC.
Qed.

End Peeling.
