; A car on bad roads: each drive may end with a flat tyre. A spare mends one, where there is one.
(define (domain tyres)
  (:requirements :strips :typing :negative-preconditions :non-deterministic)
  (:types town)
  (:predicates (car ?t - town) (road ?a ?b - town) (spare ?t - town) (flat))
  (:action drive
    :parameters (?a ?b - town)
    :precondition (and (car ?a) (road ?a ?b) (not (flat)))
    :effect (and (not (car ?a)) (car ?b) (oneof (and) (flat))))
  (:action change-tyre
    :parameters (?t - town)
    :precondition (and (car ?t) (flat) (spare ?t))
    :effect (and (not (spare ?t)) (not (flat)))))
