; Two towers become one, turned over on the way.
(define (problem two-towers)
  (:domain blocks)
  (:objects a b c d e f g)
  (:init
    (on-table a) (on b a) (on c b) (on d c) (clear d)
    (on-table e) (on f e) (on g f) (clear g)
    (hand-free))
  (:goal (and (on-table c) (on f c) (on a f) (on g a) (on d g) (on b d) (on e b))))
