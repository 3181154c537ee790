; There is a way round the lake: the goal is reached for sure, at the cost of the longer way.
(define (problem round)
  (:domain ice)
  (:objects home shore far - place)
  (:init (at home) (road home shore) (road shore far) (ice home far) (= (length home shore) 3) (= (length shore far) 2.5))
  (:goal (at far))
  (:metric minimize (total-cost)))
