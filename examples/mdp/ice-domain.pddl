; A courier crosses a frozen lake, or goes round it. On the ice a step may fail, and once in ten steps the ice breaks.
(define (domain ice)
  (:requirements :strips :typing :negative-preconditions :probabilistic-effects :action-costs)
  (:types place)
  (:predicates (at ?p - place) (road ?p ?q - place) (ice ?p ?q - place) (wet))
  (:functions (total-cost) - number (length ?p ?q - place) - number)

  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (road ?p ?q) (not (wet)))
    :effect (and (not (at ?p)) (at ?q) (increase (total-cost) (length ?p ?q))))

  (:action cross
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (ice ?p ?q) (not (wet)))
    :effect (and (increase (total-cost) 1)
      (probabilistic 7/10 (and (not (at ?p)) (at ?q)) 1/10 (wet)))))
