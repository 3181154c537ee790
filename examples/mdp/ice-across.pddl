; There is only the ice: the goal is reached with probability 7/8.
(define (problem across)
  (:domain ice)
  (:objects home far - place)
  (:init (at home) (ice home far) (= (length home far) 1))
  (:goal (at far))
  (:metric minimize (total-cost)))
