; Parcels travel by van within a city and by plane between cities.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    city - object
    place - object
    airport - place
    thing - object
    parcel vehicle - thing
    van plane - vehicle)
  (:predicates
    (at ?t - thing ?p - place)
    (inside ?q - parcel ?v - vehicle)
    (part-of ?p - place ?c - city))

  (:action load
    :parameters (?q - parcel ?v - vehicle ?p - place)
    :precondition (and (at ?q ?p) (at ?v ?p))
    :effect (and (inside ?q ?v) (not (at ?q ?p))))

  (:action unload
    :parameters (?q - parcel ?v - vehicle ?p - place)
    :precondition (and (inside ?q ?v) (at ?v ?p))
    :effect (and (at ?q ?p) (not (inside ?q ?v))))

  (:action drive
    :parameters (?v - van ?from ?to - place ?c - city)
    :precondition (and (at ?v ?from) (part-of ?from ?c) (part-of ?to ?c))
    :effect (and (at ?v ?to) (not (at ?v ?from))))

  (:action fly
    :parameters (?v - plane ?from ?to - airport)
    :precondition (at ?v ?from)
    :effect (and (at ?v ?to) (not (at ?v ?from)))))
