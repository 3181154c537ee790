; Explorers and cannibals share a boat of two seats. On neither bank may the explorers there be outnumbered.
; Counts are objects; `safe` lists the pairs of counts (explorers, cannibals) that may stand on a bank.
(define (domain river)
  (:requirements :strips :typing)
  (:types bank count)
  (:predicates
    (boat ?b - bank)
    (opposite ?b ?c - bank)
    (explorers ?b - bank ?n - count)
    (cannibals ?b - bank ?n - count)
    (one-less ?m ?n - count)
    (two-less ?m ?n - count)
    (safe ?e ?c - count))

  (:action cross-one-explorer
    :parameters (?b ?c - bank ?eb ?eb1 ?ec ?ec1 ?kb ?kc - count)
    :precondition (and
      (boat ?b) (opposite ?b ?c)
      (explorers ?b ?eb) (explorers ?c ?ec) (cannibals ?b ?kb) (cannibals ?c ?kc)
      (one-less ?eb1 ?eb) (one-less ?ec ?ec1)
      (safe ?eb1 ?kb) (safe ?ec1 ?kc))
    :effect (and
      (boat ?c) (not (boat ?b))
      (explorers ?b ?eb1) (not (explorers ?b ?eb))
      (explorers ?c ?ec1) (not (explorers ?c ?ec))))

  (:action cross-two-explorers
    :parameters (?b ?c - bank ?eb ?eb2 ?ec ?ec2 ?kb ?kc - count)
    :precondition (and
      (boat ?b) (opposite ?b ?c)
      (explorers ?b ?eb) (explorers ?c ?ec) (cannibals ?b ?kb) (cannibals ?c ?kc)
      (two-less ?eb2 ?eb) (two-less ?ec ?ec2)
      (safe ?eb2 ?kb) (safe ?ec2 ?kc))
    :effect (and
      (boat ?c) (not (boat ?b))
      (explorers ?b ?eb2) (not (explorers ?b ?eb))
      (explorers ?c ?ec2) (not (explorers ?c ?ec))))

  (:action cross-one-cannibal
    :parameters (?b ?c - bank ?eb ?ec ?kb ?kb1 ?kc ?kc1 - count)
    :precondition (and
      (boat ?b) (opposite ?b ?c)
      (explorers ?b ?eb) (explorers ?c ?ec) (cannibals ?b ?kb) (cannibals ?c ?kc)
      (one-less ?kb1 ?kb) (one-less ?kc ?kc1)
      (safe ?eb ?kb1) (safe ?ec ?kc1))
    :effect (and
      (boat ?c) (not (boat ?b))
      (cannibals ?b ?kb1) (not (cannibals ?b ?kb))
      (cannibals ?c ?kc1) (not (cannibals ?c ?kc))))

  (:action cross-two-cannibals
    :parameters (?b ?c - bank ?eb ?ec ?kb ?kb2 ?kc ?kc2 - count)
    :precondition (and
      (boat ?b) (opposite ?b ?c)
      (explorers ?b ?eb) (explorers ?c ?ec) (cannibals ?b ?kb) (cannibals ?c ?kc)
      (two-less ?kb2 ?kb) (two-less ?kc ?kc2)
      (safe ?eb ?kb2) (safe ?ec ?kc2))
    :effect (and
      (boat ?c) (not (boat ?b))
      (cannibals ?b ?kb2) (not (cannibals ?b ?kb))
      (cannibals ?c ?kc2) (not (cannibals ?c ?kc))))

  (:action cross-mixed
    :parameters (?b ?c - bank ?eb ?eb1 ?ec ?ec1 ?kb ?kb1 ?kc ?kc1 - count)
    :precondition (and
      (boat ?b) (opposite ?b ?c)
      (explorers ?b ?eb) (explorers ?c ?ec) (cannibals ?b ?kb) (cannibals ?c ?kc)
      (one-less ?eb1 ?eb) (one-less ?ec ?ec1) (one-less ?kb1 ?kb) (one-less ?kc ?kc1)
      (safe ?eb1 ?kb1) (safe ?ec1 ?kc1))
    :effect (and
      (boat ?c) (not (boat ?b))
      (explorers ?b ?eb1) (not (explorers ?b ?eb)) (explorers ?c ?ec1) (not (explorers ?c ?ec))
      (cannibals ?b ?kb1) (not (cannibals ?b ?kb)) (cannibals ?c ?kc1) (not (cannibals ?c ?kc)))))
