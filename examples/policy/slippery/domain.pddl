; A robot in a hallway of rooms. The floor is slippery: a step may end where it began.
(define (domain slippery)
  (:requirements :strips :typing :non-deterministic)
  (:types room)
  (:predicates (in ?r - room) (next ?a ?b - room) (locked ?r - room) (key))
  (:action walk
    :parameters (?a ?b - room)
    :precondition (and (in ?a) (next ?a ?b) (not (locked ?b)))
    :effect (oneof (and (not (in ?a)) (in ?b)) (and)))
  (:action find-key
    :parameters (?a - room)
    :precondition (in ?a)
    :effect (key))
  (:action unlock
    :parameters (?a ?b - room)
    :precondition (and (in ?a) (next ?a ?b) (key))
    :effect (not (locked ?b))))
