; Who gets invited: no costs at all, only wishes, and one that is better broken.
(define (domain club)
  (:requirements :typing :adl :preferences)
  (:types guest)
  (:predicates (invited ?g - guest) (likes ?g ?h - guest) (closed))
  (:action invite
    :parameters (?g - guest)
    :precondition (and (not (closed)) (not (invited ?g)))
    :effect (invited ?g))
  (:action close
    :precondition (not (closed))
    :effect (closed)))
