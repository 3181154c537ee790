; Three lamps in a row: two steps, and small enough for a certificate that can be verified by hand.
(define (problem three)
  (:domain lamps)
  (:objects a b c)
  (:init (lit a) (wire a b) (wire b c))
  (:goal (lit c)))
