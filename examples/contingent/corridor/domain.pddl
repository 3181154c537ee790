; Somewhere in a corridor, in the dark: walking against the wall makes sure.
(define (domain corridor)
  (:requirements :strips :typing :conditional-effects :conformant)
  (:types place)
  (:predicates (at ?p - place) (left-of ?p ?q - place))
  (:action left
    :parameters ()
    :effect (forall (?p ?q - place)
      (when (and (at ?q) (left-of ?p ?q)) (and (at ?p) (not (at ?q))))))
  (:action right
    :parameters ()
    :effect (forall (?p ?q - place)
      (when (and (at ?p) (left-of ?p ?q)) (and (at ?q) (not (at ?p)))))))
