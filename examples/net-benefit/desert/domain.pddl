; The pursuit through the desert once more, now with thirst: the running example of Kissmann's thesis (2012), section
; 7.1, written anew. Each walk makes thirstier; at three the gunslinger is dying and only dreams of the catch.
(define (domain desert-with-thirst)
  (:requirements :strips :typing :numeric-fluents :preferences :action-costs)
  (:types someone place)
  (:constants gunslinger man-in-black - someone)
  (:predicates
    (is-at ?who - someone ?p - place)
    (path ?p ?q - place)
    (water-at ?p - place)
    (dead ?who - someone)
    (caught))
  (:functions
    (hardship ?p ?q - place) - number
    (thirst) - number
    (total-cost) - number)

  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (is-at gunslinger ?p) (path ?p ?q) (< (thirst) 3))
    :effect (and
      (is-at gunslinger ?q) (not (is-at gunslinger ?p))
      (increase (thirst) 1)
      (increase (total-cost) (hardship ?p ?q))))

  (:action drink
    :parameters (?p - place)
    :precondition (and (is-at gunslinger ?p) (water-at ?p) (< (thirst) 3))
    :effect (assign (thirst) 0))

  (:action dream
    :precondition (>= (thirst) 3)
    :effect (and (caught) (dead gunslinger)))

  (:action catch
    :parameters (?p - place)
    :precondition (and (is-at gunslinger ?p) (is-at man-in-black ?p) (< (thirst) 3))
    :effect (caught)))
