; Four of each: no boat of two seats brings them over.
(define (problem river-4)
  (:domain river)
  (:objects
    west east - bank
    n0 n1 n2 n3 n4 - count)
  (:init
    (boat west) (opposite west east) (opposite east west)
    (explorers west n4) (cannibals west n4) (explorers east n0) (cannibals east n0)
    (one-less n0 n1) (one-less n1 n2) (one-less n2 n3) (one-less n3 n4)
    (two-less n0 n2) (two-less n1 n3) (two-less n2 n4)
    (safe n0 n0) (safe n0 n1) (safe n0 n2) (safe n0 n3) (safe n0 n4)
    (safe n1 n0) (safe n1 n1)
    (safe n2 n0) (safe n2 n1) (safe n2 n2)
    (safe n3 n0) (safe n3 n1) (safe n3 n2) (safe n3 n3)
    (safe n4 n0) (safe n4 n1) (safe n4 n2) (safe n4 n3) (safe n4 n4))
  (:goal (and (explorers east n4) (cannibals east n4))))
