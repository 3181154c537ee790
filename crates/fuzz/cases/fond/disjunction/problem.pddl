(define (problem x) (:domain d)
 (:init (p) (q))
 (:goal (goal)))
