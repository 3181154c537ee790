; A courier with a small tank and a small boot. The load is a number that no action checks on the way down: that it
; never falls below zero follows from what is inside. The company prefers drives that are not made empty.
(define (domain parcels)
  (:requirements :typing :adl :numeric-fluents :preferences)
  (:types place parcel)
  (:predicates
    (van-at ?p - place)
    (at ?x - parcel ?p - place)
    (inside ?x - parcel)
    (road ?p ?q - place)
    (pump ?p - place))
  (:functions
    (miles ?p ?q - place)
    (fuel)
    (tank)
    (load)
    (room)
    (price)
    (spent))

  (:action drive
    :parameters (?p ?q - place)
    :precondition (and (van-at ?p) (road ?p ?q) (>= (fuel) (miles ?p ?q))
      (preference not-empty (exists (?x - parcel) (inside ?x))))
    :effect (and (van-at ?q) (not (van-at ?p)) (decrease (fuel) (miles ?p ?q))))

  (:action fill-up
    :parameters (?p - place)
    :precondition (and (van-at ?p) (pump ?p) (< (fuel) (tank)))
    :effect (and (assign (fuel) (tank)) (increase (spent) (price))))

  (:action take
    :parameters (?x - parcel ?p - place)
    :precondition (and (van-at ?p) (at ?x ?p) (< (load) (room)))
    :effect (and (inside ?x) (not (at ?x ?p)) (increase (load) 1) (increase (spent) 0.5)))

  (:action give
    :parameters (?x - parcel ?p - place)
    :precondition (and (van-at ?p) (inside ?x))
    :effect (and (at ?x ?p) (not (inside ?x)) (decrease (load) 1))))
