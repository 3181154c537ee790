; A hiker on a grid of cells: entering a cell costs its effort, picking a herb is free.
(define (domain trail)
  (:requirements :strips :typing :action-costs)
  (:types cell herb)
  (:predicates
    (hiker-at ?c - cell)
    (next ?c ?d - cell)
    (grows ?h - herb ?c - cell)
    (picked ?h - herb))
  (:functions
    (effort ?c - cell) - number
    (total-cost) - number)

  (:action enter
    :parameters (?c ?d - cell)
    :precondition (and (hiker-at ?c) (next ?c ?d))
    :effect (and (hiker-at ?d) (not (hiker-at ?c)) (increase (total-cost) (effort ?d))))

  (:action pick
    :parameters (?h - herb ?c - cell)
    :precondition (and (hiker-at ?c) (grows ?h ?c))
    :effect (and (picked ?h) (not (grows ?h ?c)))))
