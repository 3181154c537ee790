; The pursuit through the desert with unit costs: the running example of Kissmann's thesis (2012), section 5.2.2,
; written anew. The man in black waits; the gunslinger walks from place to place and catches him where they meet.
(define (domain desert)
  (:requirements :strips :typing)
  (:types someone place)
  (:constants gunslinger man-in-black - someone)
  (:predicates
    (is-at ?who - someone ?p - place)
    (path ?p ?q - place)
    (caught))

  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (is-at gunslinger ?p) (path ?p ?q))
    :effect (and (is-at gunslinger ?q) (not (is-at gunslinger ?p))))

  (:action catch
    :parameters (?p - place)
    :precondition (and (is-at gunslinger ?p) (is-at man-in-black ?p))
    :effect (caught)))
