; The patient may have no illness, and then nothing makes `well` true.
(define (problem healthy) (:domain medicine)
  (:objects flu measles - illness)
  (:init (oneof (ill flu) (ill measles) (and)))
  (:goal (and (well) (not (harmed)))))
