; Sokoban: walking is free, pushing a box costs one. Without a :metric every step counts, walks too.
(define (domain sokoban)
  (:requirements :strips :typing :action-costs)
  (:types square direction)
  (:predicates
    (keeper ?s - square)
    (box ?s - square)
    (free ?s - square)
    (beside ?s ?t - square ?d - direction))
  (:functions (total-cost) - number)

  (:action walk
    :parameters (?s ?t - square ?d - direction)
    :precondition (and (keeper ?s) (beside ?s ?t ?d) (free ?t))
    :effect (and (keeper ?t) (free ?s) (not (keeper ?s)) (not (free ?t))))

  (:action push
    :parameters (?s ?t ?u - square ?d - direction)
    :precondition (and (keeper ?s) (beside ?s ?t ?d) (box ?t) (beside ?t ?u ?d) (free ?u))
    :effect (and
      (keeper ?t) (box ?u) (free ?s)
      (not (keeper ?s)) (not (box ?t)) (not (free ?u))
      (increase (total-cost) 1))))
