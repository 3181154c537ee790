(define (problem x) (:domain d)
 (:init (p) (q) (oneof (r) (s)))
 (:goal (goal)))
