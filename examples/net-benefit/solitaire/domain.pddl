; Peg solitaire: a peg jumps over a neighbour, which leaves the board. Jumps cost nothing; pegs left over do.
(define (domain solitaire)
  (:requirements :typing :preferences)
  (:types hole)
  (:predicates (line ?a ?b ?c - hole) (peg ?h - hole) (free ?h - hole))
  (:action jump
    :parameters (?from ?over ?to - hole)
    :precondition (and (line ?from ?over ?to) (peg ?from) (peg ?over) (free ?to))
    :effect (and (not (peg ?from)) (not (peg ?over)) (not (free ?to)) (free ?from) (free ?over) (peg ?to))))
