; A robot in a grid of cells. Locked cells are opened from beside with a key that fits, and only one thing can be carried.
(define (domain grid)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell thing - object key - thing)
  (:predicates
    (robot ?c - cell)
    (adjacent ?a ?b - cell)
    (locked ?c - cell)
    (fits ?k - key ?c - cell)
    (at ?t - thing ?c - cell)
    (carried ?t - thing)
    (hand-free))

  (:action walk
    :parameters (?from ?to - cell)
    :precondition (and (robot ?from) (adjacent ?from ?to) (not (locked ?to)))
    :effect (and (robot ?to) (not (robot ?from))))

  (:action unlock
    :parameters (?here ?there - cell ?k - key)
    :precondition (and (robot ?here) (adjacent ?here ?there) (locked ?there) (carried ?k) (fits ?k ?there))
    :effect (not (locked ?there)))

  (:action pick-up
    :parameters (?t - thing ?c - cell)
    :precondition (and (robot ?c) (at ?t ?c) (hand-free))
    :effect (and (carried ?t) (not (at ?t ?c)) (not (hand-free))))

  (:action put-down
    :parameters (?t - thing ?c - cell)
    :precondition (and (robot ?c) (carried ?t))
    :effect (and (at ?t ?c) (hand-free) (not (carried ?t)))))
