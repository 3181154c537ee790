; Blocks on a table, moved one at a time by one hand.
(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (holding ?x) (hand-free))

  (:action take
    :parameters (?x)
    :precondition (and (hand-free) (clear ?x) (on-table ?x))
    :effect (and (holding ?x) (not (hand-free)) (not (clear ?x)) (not (on-table ?x))))

  (:action lay
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (on-table ?x) (clear ?x) (hand-free) (not (holding ?x))))

  (:action lift
    :parameters (?x ?y)
    :precondition (and (hand-free) (clear ?x) (on ?x ?y))
    :effect (and (holding ?x) (clear ?y) (not (hand-free)) (not (clear ?x)) (not (on ?x ?y))))

  (:action put
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (on ?x ?y) (clear ?x) (hand-free) (not (holding ?x)) (not (clear ?y)))))
