; Sussman's anomaly: c stands on a, and a tower a b c is wanted.
(define (problem sussman)
  (:domain blocks)
  (:objects a b c)
  (:init (on c a) (on-table a) (on-table b) (clear c) (clear b) (hand-free))
  (:goal (and (on a b) (on b c))))
