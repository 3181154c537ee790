; The pursuit through the desert with general costs: the running example of Kissmann's thesis (2012), section 6.2.1,
; written anew. Walking costs what the path costs; catching is free.
(define (domain desert-with-costs)
  (:requirements :strips :typing :action-costs)
  (:types someone place)
  (:constants gunslinger man-in-black - someone)
  (:predicates
    (is-at ?who - someone ?p - place)
    (path ?p ?q - place)
    (caught))
  (:functions
    (hardship ?p ?q - place) - number
    (total-cost) - number)

  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (is-at gunslinger ?p) (path ?p ?q))
    :effect (and
      (is-at gunslinger ?q) (not (is-at gunslinger ?p))
      (increase (total-cost) (hardship ?p ?q))))

  (:action catch
    :parameters (?p - place)
    :precondition (and (is-at gunslinger ?p) (is-at man-in-black ?p))
    :effect (caught)))
