; Four rooms in a row, the last one locked.
(define (problem four-rooms)
  (:domain slippery)
  (:objects r1 r2 r3 r4 - room)
  (:init (in r1) (next r1 r2) (next r2 r3) (next r3 r4) (locked r4))
  (:goal (in r4)))
