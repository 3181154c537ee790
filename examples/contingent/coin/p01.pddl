(define (problem once) (:domain coin)
  (:init (unknown (heads)))
  (:goal (taken)))
