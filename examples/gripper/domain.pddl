; A robot with two hands carries balls from room to room, after the domain of the first planning competition.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball hand)
  (:predicates
    (robot-in ?r - room)
    (ball-in ?b - ball ?r - room)
    (empty ?h - hand)
    (holds ?h - hand ?b - ball))

  (:action walk
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (robot-in ?to) (not (robot-in ?from))))

  (:action grasp
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (robot-in ?r) (ball-in ?b ?r) (empty ?h))
    :effect (and (holds ?h ?b) (not (ball-in ?b ?r)) (not (empty ?h))))

  (:action release
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (robot-in ?r) (holds ?h ?b))
    :effect (and (ball-in ?b ?r) (empty ?h) (not (holds ?h ?b)))))
