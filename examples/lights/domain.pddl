; Lights out: pressing a lamp toggles it and its neighbours (conditional effects under a quantifier).
(define (domain lights)
  (:requirements :adl)
  (:types lamp)
  (:predicates (lit ?l - lamp) (touches ?l ?m - lamp))

  (:action press
    :parameters (?l - lamp)
    :precondition (and)
    :effect (forall (?m - lamp)
      (and
        (when (and (touches ?l ?m) (lit ?m)) (not (lit ?m)))
        (when (and (touches ?l ?m) (not (lit ?m))) (lit ?m))))))
